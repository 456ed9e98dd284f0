export { useClickId } from './click-id.ts';
export { consent } from './consent.ts';
export { TRACKER_SCRIPT_HASH } from './inline-script.ts';
export { whenLoaded, whenReady } from './load-tracker.ts';
export { TrackerProvider, useTracker } from './provider.tsx';
export type { SignupResult } from './signup.ts';
export type { Tracker, TrackerConfig } from './tracker.ts';
export { TrackerScript, type TrackerScriptProps } from './tracker-script.tsx';
export { withdrawConsent } from './withdraw-consent.ts';
