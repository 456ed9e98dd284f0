// The entry of script.js, the tracker for pages without React: the click, sign-up, consent and debug output in one file.
import { consent } from './consent.ts';
import { loadTracker, whenLoaded, whenReady } from './load-tracker.ts';
import type { Tracker } from './tracker.ts';
import { withdrawConsent } from './withdraw-consent.ts';

/** `window.svcTracker`, from the moment the script has run. */
export type ScriptTracker = {
  /** As `whenReady()` of the package: the click ID or null, after 2 s at the latest. */
  whenReady: typeof whenReady;
  /** As `Tracker.signup`; waits until the tracker has started, which a required consent may delay without limit. */
  signup: Tracker['signup'];
  consent: typeof consent;
  withdrawConsent: typeof withdrawConsent;
};

declare global {
  var svcTracker: ScriptTracker | undefined;
}

window.svcTracker = {
  whenReady,
  signup: async (userId, email) => (await whenLoaded()).signup(userId, email),
  consent,
  withdrawConsent,
};

const SELECTOR = 'script[data-program-id]';
// A module has no currentScript, and in a bundle it is the bundle's.
const element = document.currentScript?.closest<HTMLElement>(SELECTOR) ?? document.querySelector<HTMLElement>(SELECTOR);
if (element) {
  const { dataset } = element;
  void loadTracker({
    programId: dataset.programId as string,
    baseUrl: dataset.baseUrl,
    cookieDomain: dataset.cookieDomain,
    consent: 'consent' in dataset ? 'required' : undefined,
    debug: 'debug' in dataset,
  });
} else {
  console.error('[@svc/tracker] The script element has no data-program-id.');
}
