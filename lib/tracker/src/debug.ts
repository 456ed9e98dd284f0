import type { Capture, PrerenderedDocument } from './capture.ts';
import type { Tracker, TrackerConfig } from './tracker.ts';
import { readClick, readError, type WireBody } from './wire.ts';

// Loaded only with `debug`: logs what the tracker does, and why it does nothing.

type ClickState = Pick<Capture, 'followed' | 'response' | 'isStopped'> & {
  clickId: string | null;
  isPrerendered?: boolean | undefined;
};

/** Why there is a click, or why there is none. */
export function explainClick({ followed, response, isStopped, clickId, isPrerendered }: ClickState): string {
  const stored = clickId ? `The stored click ID is ${clickId}.` : 'No click ID is stored.';
  if (isStopped) return 'No click: consent was withdrawn.';
  if (isPrerendered) return `No click until the page is shown: it is prerendered. ${stored}`;
  if (!followed) return `No new click: the address has no "aff" parameter. ${stored}`;
  if (response === undefined) {
    return `No new click: a visit by the same link, a reload and the back button keep the stored one. ${stored}`;
  }
  if (response instanceof Response) {
    return `No click yet: the service responded ${response.status}. whenReady() and signup() retry it.`;
  }
  if (response instanceof Error) {
    return `No click yet: no readable response (${response.message}). Check that baseUrl is the service’s address. whenReady() and signup() retry it.`;
  }
  const body = response as WireBody;
  const [newClickId] = readClick(body);
  if (!newClickId) return `No click: the service refused the link "${followed}": ${readError(body).message} ${stored}`;
  if (newClickId !== clickId) return `Click ${newClickId} arrived after another link was followed. ${stored}`;
  return `Click ${newClickId} for the link "${followed}".`;
}

/** Logs the click of this page, those of later navigations, and each browser sign-up. Sends nothing by itself. */
export function logActivity(capture: Capture, tracker: Tracker, config: TrackerConfig): void {
  const log = (message: string) => console.info(`[@svc/tracker] ${message}`);

  const logClick = async () => {
    if (capture.followed && capture.response === undefined) await capture.finish();
    const isPrerendered = (document as PrerenderedDocument).prerendering;
    log(explainClick({ ...capture, clickId: capture.getClickId(), isPrerendered }));
  };

  const { arrive } = capture;
  capture.arrive = (isVisit, url) => {
    const before = capture.followed;
    arrive(isVisit, url);
    if (capture.followed === before) return;
    capture.response = undefined; // of the link before
    void logClick();
  };

  const { signup } = tracker;
  tracker.signup = async (userId, email) => {
    const result = await signup(userId, email);
    const outcome = result.provisional ? 'provisional: your server’s trackLead settles it' : 'settled';
    log(
      `Sign-up of ${userId}: ${result.ok ? outcome : 'nothing recorded: there is no click, or the service refused it or could not be reached.'}`,
    );
    return result;
  };

  log(`Program ${config.programId}, service ${config.baseUrl || location.origin}.`);
  void logClick();
}
