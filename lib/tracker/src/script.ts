// The entry of script.js, the tracker for pages without React: the click, sign-up, consent and debug output in one file.
import { consent } from './consent.ts';
import { loadTracker, whenLoaded, whenReady } from './load-tracker.ts';
import type { Tracker } from './tracker.ts';
import { withdrawConsent } from './withdraw-consent.ts';

/** `window.svcTracker`, from the moment the script has run. */
export type ScriptTracker = {
  /** The package's `whenReady()`: the click ID or null, within 2 s. */
  whenReady: typeof whenReady;
  /** `Tracker.signup`; waits until the tracker has started, which a required consent may delay indefinitely. */
  signup: Tracker['signup'];
  consent: typeof consent;
  withdrawConsent: typeof withdrawConsent;
  /** False if the script's element has no program ID. */
  isStarted: boolean;
};

declare global {
  var svcTracker: ScriptTracker | undefined;
}

const SELECTOR = 'script[data-program-id]';
// A module has no currentScript; in a bundle, it is the bundle's element.
const element = document.currentScript?.closest<HTMLElement>(SELECTOR) ?? document.querySelector<HTMLElement>(SELECTOR);
// A page may load the script twice, for example by a tag manager, too: the copy that tracks keeps its state.
if (!window.svcTracker?.isStarted) {
  window.svcTracker = {
    whenReady,
    signup: async (userId, email) => (await whenLoaded()).signup(userId, email),
    consent,
    withdrawConsent,
    isStarted: element !== null,
  };
  if (element) start(element);
  else console.error('[@svc/tracker] The script element has no data-program-id.');
}

function start({ dataset }: HTMLElement): void {
  void loadTracker({
    programId: dataset.programId as string,
    baseUrl: dataset.baseUrl,
    cookieDomain: dataset.cookieDomain,
    consent: 'consent' in dataset ? 'required' : undefined,
    debug: 'debug' in dataset,
  });
}
