import 'server-only';
import { type Refusal, refuse } from '../errors';

export const BODY_LIMIT_BYTES = 64 * 1024;
/** Payment webhooks are signed and larger: an invoice with 150 lines has 299 KiB. */
export const WEBHOOK_LIMIT_BYTES = 512 * 1024;
/** This much beyond a limit is read and dropped, so that the sender can read the response; then the connection is closed. */
const DISCARDED_BYTES = 64 * 1024;
const MAX_DEPTH = 32;

type Read<T> = { ok: true; value: T } | Refusal;

/**
 * The body as text. No more than the limit is kept, whatever the caller declares or sends.
 * Refuses with `body_too_large`, or with `invalid_json` if it is not UTF-8.
 */
export async function readText(request: Request, limitBytes = BODY_LIMIT_BYTES): Promise<Read<string>> {
  if (Number(request.headers.get('content-length')) > limitBytes + DISCARDED_BYTES) return refuse('body_too_large');
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body?.getReader(); // a loop over the body itself takes twice as long
  try {
    for (let read = await reader?.read(); read?.value; read = await reader?.read()) {
      size += read.value.byteLength;
      if (size > limitBytes + DISCARDED_BYTES) {
        await reader?.cancel();
        break;
      }
      if (size <= limitBytes) chunks.push(read.value);
    }
  } catch {
    return refuse('invalid_json', 'The body ended before it was complete.');
  }
  if (size > limitBytes) return refuse('body_too_large');
  try {
    return { ok: true, value: new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)) };
  } catch {
    return refuse('invalid_json', 'The body is not valid UTF-8.');
  }
}

/**
 * The body as JSON, without `__proto__` and deep nesting. Whether a text can be stored is checked per field.
 * @param acceptsPlainText for browser calls: JSON sent as text/plain needs no preflight
 */
export async function readJson(request: Request, { acceptsPlainText = false } = {}): Promise<Read<unknown>> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json' && !(acceptsPlainText && type === 'text/plain'))
    return refuse('unsupported_media_type');
  const text = await readText(request);
  if (!text.ok) return text;
  try {
    const value: unknown = JSON.parse(text.value);
    if (!isPlain(value)) return refuse('invalid_json', 'The body contains __proto__ or more than 32 levels.');
    return { ok: true, value };
  } catch {
    return refuse('invalid_json', 'The body is not valid JSON.');
  }
}

/** Iterative, so that deep nesting cannot exhaust the stack. */
function isPlain(json: unknown): boolean {
  const open: Array<{ value: unknown; depth: number }> = [{ value: json, depth: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, depth } = next;
    if (typeof value !== 'object' || value === null) continue;
    if (depth >= MAX_DEPTH || Object.hasOwn(value, '__proto__')) return false;
    for (const child of Object.values(value)) open.push({ value: child, depth: depth + 1 });
  }
  return true;
}
