import { post } from './post.ts';
import { clickBody, readClick } from './wire.ts';

// The click, written once: scripts/build-inline.mjs makes the inline script from it, and the provider loads it where that
// script is absent. It is part of every page, so mind its budget (docs/decisions/0032-inline-tracker.md).

export type TrackerConfig = {
  /** The program ID, from the dashboard's program settings. */
  programId: string;
  /** The service's address without `/api/v1`. Default: the page's own origin. */
  baseUrl?: string | undefined;
};

/** The click of this page, as the inline script or the provider started it. */
export type Capture = {
  /** From the cookie, else of this page where the browser refuses cookies. */
  getClickId(): string | null;
  /** Resolves with the click in flight, or tries a failed one again. Never rejects. */
  finish(): Promise<void> | undefined;
  /** Call it when the page's address has changed. What a visit is: docs/decisions/0034-what-counts-as-a-visit.md. */
  arrive(isVisit: boolean): void;
};

declare global {
  /** Where the inline script and the provider find each other. */
  var svcCapture: Capture | undefined;
}

/** Chromium only. */
type PrerenderedDocument = Document & { prerendering?: boolean };

/** Starts once per page; where it runs already, nothing happens. */
export function startCapture({ programId, baseUrl = '' }: TrackerConfig): void {
  if (window.svcCapture) return;

  /** Whose link was followed last on this page. */
  let followed: string | undefined;
  /** The click of a browser that refuses cookies lasts as long as the page. */
  let unstored: string | null = null;

  const getClickId = () => readCookie('click_id') || unstored;

  /** Makes the click of one link, once; where it failed, the next call tries again. */
  const clickOnce = (partner: string, url: string) => {
    let click: Promise<void> | undefined;
    const send = async () => {
      const [clickId, days] = readClick(
        await post(`${baseUrl}/api/v1/track/click`, clickBody(programId, url, document.referrer, getClickId())),
      );
      if (!clickId || followed !== partner) return; // refused, or another link was followed meanwhile: the last click wins
      writeCookie('click_id', clickId, days);
      writeCookie('partner', partner, days); // docs/decisions/0033-partner-cookie.md
      unstored = readCookie('click_id') ? null : clickId;
    };
    return () =>
      (click ??= send().catch(() => {
        click = undefined;
      }));
  };

  const capture: Capture = {
    getClickId,
    finish: () => undefined,
    arrive(isVisit) {
      const partner = new URLSearchParams(location.search).get('aff');
      if ((document as PrerenderedDocument).prerendering || !partner || partner === followed) return;
      followed = partner;
      // Only a visit replaces a click that is there: a reload and the back button do not.
      if (getClickId() && (!isVisit || readCookie('partner') === partner)) return;
      capture.finish = clickOnce(partner, location.href.replace(/#.*/, '')); // a fragment may hold secrets
      void capture.finish();
    },
  };
  window.svcCapture = capture;

  const begin = () => {
    const entries = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    capture.arrive(entries.every(({ type }) => type === 'navigate'));
  };
  document.addEventListener('prerenderingchange', begin); // a page rendered ahead has not been visited yet
  begin();
}

/** The value, or the empty string: where there is none, it is not our encoding, or the document may have no cookies. */
function readCookie(name: string): string {
  try {
    const [, rest = ''] = `; ${document.cookie}`.split(`; svc_${name}=`);
    return decodeURIComponent(rest.replace(/;.*/, ''));
  } catch {
    return '';
  }
}

function writeCookie(name: string, value: string, days: number): void {
  const secure = location.protocol === 'https:' ? ';Secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in browsers that we serve
  document.cookie = `svc_${name}=${encodeURIComponent(value)};Path=/;Max-Age=${days * 86400};SameSite=Lax${secure}`;
}
