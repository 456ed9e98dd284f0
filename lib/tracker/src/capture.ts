import { clickBody, readClick } from './wire.ts';

// The click, written once: scripts/build-inline.mjs makes the inline script from it, and the provider loads it where that
// script is absent. It is part of every page, so mind its budget (docs/decisions/0032-inline-tracker.md).

/** The click of this page, as the inline script or the provider started it. */
export type Capture = {
  programId: string;
  /** From the cookie, else of this page where the browser refuses cookies. */
  getClickId(): string | null;
  /** Settles with the click in flight, tries a failed one again, and never rejects. */
  ensureClick(): Promise<void> | undefined;
  /** Call it when the page's address has changed. */
  arrive(isVisit: boolean): void;
  post(path: 'click' | 'lead', body: object): Promise<Record<string, unknown>>;
};

declare global {
  /** Where the inline script and the provider find each other. */
  var svcCapture: Capture | undefined;
}

export type TrackerConfig = {
  /** The program ID, from the dashboard's program settings. */
  programId: string;
  /** The service's address without `/api/v1`. Default: the page's own origin. */
  baseUrl?: string | undefined;
};

/** Starts once per page; where it runs already, that one is returned. */
export function startCapture({ programId, baseUrl = '' }: TrackerConfig): Capture {
  if (window.svcCapture) return window.svcCapture;

  /** The partner's link that was followed last, and its click: undefined where it failed and may be tried again. */
  let link: { partner: string; url: string } | undefined;
  let click: Promise<void> | undefined;
  /** The click of a browser that refuses cookies lasts as long as the page. */
  let unstored: string | null = null;

  const getClickId = () => readCookie('click_id') || unstored;

  const post = async (path: string, body: object) => {
    const response = await fetch(`${baseUrl}/api/v1/track/${path}`, {
      method: 'POST',
      body: JSON.stringify(body), // a string is sent as text/plain, which needs no preflight on another origin
      keepalive: true, // survives a visitor who leaves at once
    });
    if (response.status > 428) throw response; // rate limit or 5xx: worth another try
    return response.json();
  };

  const sendClick = async (followed: { partner: string; url: string }) => {
    const answer = readClick(await post('click', clickBody(programId, followed.url, document.referrer, getClickId())));
    if (!answer || link !== followed) return; // refused, or another link was followed meanwhile: the last click wins
    unstored = answer.clickId;
    writeCookie('click_id', answer.clickId, answer.days);
    writeCookie('partner', followed.partner, answer.days);
  };

  const ensureClick = () => {
    const followed = link;
    return (
      followed &&
      (click ??= sendClick(followed).catch(() => {
        if (link === followed) click = undefined;
      }))
    );
  };

  const arrive = (isVisit: boolean) => {
    const partner = new URLSearchParams(location.search).get('aff');
    if (!partner || partner === link?.partner) return;
    link = undefined;
    // Only a visit replaces a click that is there: a reload and the back button do not.
    if (getClickId() && (!isVisit || readCookie('partner') === partner)) return;
    link = { partner, url: location.href };
    click = undefined;
    ensureClick();
  };

  // A prerendered page has not been visited yet.
  const page: Document & { prerendering?: boolean } = document;
  const begin = () => {
    const [entry] = performance.getEntriesByType('navigation');
    arrive(!/^[rb]/.test((entry as PerformanceNavigationTiming | undefined)?.type ?? '')); // reload, back_forward
  };
  if (page.prerendering) page.addEventListener('prerenderingchange', begin, { once: true });
  else begin();
  return (window.svcCapture = { programId, getClickId, ensureClick, arrive, post });
}

/** The value, or the empty string: where there is none, it is not our encoding, or the document may have no cookies. */
function readCookie(name: string): string {
  try {
    return decodeURIComponent(document.cookie.match(`(?:^|; )svc_${name}=([^;]*)`)?.[1] ?? '');
  } catch {
    return '';
  }
}

function writeCookie(name: string, value: string, days: number): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in browsers that we serve
  document.cookie = `svc_${name}=${encodeURIComponent(value)}; Path=/; Max-Age=${days * 86400}; SameSite=Lax${location.protocol === 'https:' ? '; Secure' : ''}`;
}
