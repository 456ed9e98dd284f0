// What the recorder changes in the app's pages: it adds the bar at their end, and lets the control room frame them.
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http';

const SCRIPT = '<script src="/__emulators/bar.js" defer></script>';
const END = '</body>';

export const isPage = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  (headers['content-type'] ?? '').startsWith('text/html') && !headers['content-encoding'];

/** The page with the bar's script before its end, wherever the stream is cut. */
export async function* injectBar(page: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held = Buffer.alloc(0);
  let isDone = false;
  for await (const chunk of page) {
    if (isDone) {
      yield chunk;
      continue;
    }
    const text = Buffer.concat([held, chunk]);
    const end = text.indexOf(END);
    if (end >= 0) {
      yield Buffer.concat([text.subarray(0, end), Buffer.from(SCRIPT), text.subarray(end)]);
      isDone = true;
      continue;
    }
    const safe = Math.max(text.length - END.length + 1, 0);
    held = text.subarray(safe);
    if (safe > 0) yield text.subarray(0, safe);
  }
  if (!isDone && held.length > 0) yield held;
}

/** Lets the emulators' pages show the app in a frame, which its own policy forbids. */
export function relaxFraming(headers: IncomingHttpHeaders, emulatorsUrl: string): OutgoingHttpHeaders {
  const policy = headers['content-security-policy'];
  if (typeof policy !== 'string') return { ...headers };
  const relaxed = policy.replace(/frame-ancestors [^;]*/, `frame-ancestors 'self' ${emulatorsUrl}`);
  const { 'x-frame-options': _, ...rest } = headers;
  return { ...rest, 'content-security-policy': relaxed };
}
