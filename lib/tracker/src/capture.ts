import { probeDomain, readCookie, writeCookie } from './cookie.ts';
import { clickBody, postInit, readClick } from './wire.ts';

// Captures the click. scripts/build-inline.mjs builds the inline script from this file; the provider loads it if that script is
// absent. It is part of every page, so its size has a budget (docs/decisions/0011-tracker-script.md).

/** What the inline script needs to know. */
export type CaptureConfig = {
  /** The program ID, from the dashboard's program settings. */
  programId: string;
  /** Where the click goes: `trackUrl()`. */
  clickUrl: string;
  /** A domain, or `host-only`. Default: the widest domain that the browser accepts, so that `www` and `app` share it. */
  cookieDomain?: string | undefined;
};

/** The click of this page, as the inline script or the provider started it. */
export type Capture = {
  /** The `aff` value of the last link followed on this page. */
  followed?: string | undefined;
  /** The service's response to the last click, or why there is none; undefined while the click is in flight. */
  response?: unknown;
  /** Whether the visitor withdrew consent. */
  isStopped?: boolean;
  /** From the cookie or, if the browser refuses cookies, from this page's click. */
  getClickId(): string | null;
  /** Waits for the click in flight, or retries a failed one; without a click it does nothing. Never rejects. */
  finish(): Promise<void> | false | undefined;
  /** Call it for each new address of the page. What a visit is: docs/decisions/0011-tracker-script.md. */
  arrive(isVisit: boolean, url?: string): void;
};

declare global {
  /** How the inline script and the provider share the click. */
  var svcCapture: Capture | undefined;
}

/** Chromium only. */
export type PrerenderedDocument = Document & { prerendering?: boolean };

/**
 * Starts once per page; later calls do nothing.
 * @param link the address that may carry a partner's link, by default the one the page has now; it counts once the page is shown
 * @param isFollowed whether the visitor followed it on this page, which is a visit even if the page was reloaded
 */
export function startCapture(
  { programId, clickUrl, cookieDomain }: CaptureConfig,
  link: string = location.href,
  isFollowed?: boolean,
): void {
  if (window.svcCapture) return;

  /** If the browser refuses cookies, the click lasts as long as the page. */
  let unstored: string | null = null;

  const getClickId = () => readCookie('click_id') || unstored;

  const capture: Capture = {
    getClickId,
    finish: () => undefined,
    arrive(isVisit, url = location.href) {
      const partner = new URL(url).searchParams.get('aff');
      const source = programId + partner;
      if ((document as PrerenderedDocument).prerendering || !partner || capture.followed === partner) return;
      capture.followed = partner;
      // Only a visit replaces an existing click: a reload and the back button do not.
      if (getClickId() && (!isVisit || readCookie('partner') === source)) return;

      let click: Promise<void> | false | undefined;
      const send = async () => {
        capture.response = undefined; // in flight
        try {
          const domain = probeDomain(cookieDomain);
          const body = clickBody(programId, url.split('#')[0] as string, document.referrer, getClickId());
          const response = await fetch(clickUrl, postInit(body));
          if (response.status > 428) throw response; // rate limit or 5xx
          const [clickId, seconds] = readClick((capture.response = await response.json()));
          if (!clickId || capture.followed !== partner) return; // refused, or another link was followed meanwhile: the last click wins
          // A cookie set by a first-party handler is not written again: Safari would shorten its lifetime.
          if (readCookie('click_id') !== clickId) {
            writeCookie('click_id', clickId, seconds, domain);
            writeCookie('partner', source, seconds, domain);
          }
          unstored = readCookie('click_id') ? null : clickId;
        } catch (error) {
          capture.response = error;
          click = undefined; // the next call tries again
        }
      };
      capture.finish = () => (click ||= capture.followed === partner && send()); // an older link is not retried
      void capture.finish();
    },
  };
  window.svcCapture = capture;

  const begin = () =>
    capture.arrive(
      isFollowed ||
        (performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]).every(
          (entry) => entry.type === 'navigate',
        ),
      link,
    );
  document.addEventListener('prerenderingchange', begin); // a prerendered page has not been visited yet
  begin();
}
