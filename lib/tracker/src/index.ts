export type { TrackerConfig } from './capture.ts';
export { TRACKER_SCRIPT_HASH } from './inline-script.ts';
export { whenLoaded, whenReady } from './load-tracker.ts';
export { TrackerProvider, useTracker } from './provider.tsx';
export type { SignupResult, Tracker } from './tracker.ts';
export { TrackerScript } from './tracker-script.tsx';
