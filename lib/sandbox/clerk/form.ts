import { clerkErrors } from './errors';
import type { Metadata } from './records';

const BODY_LIMIT_BYTES = 64 * 1024;
const METADATA_LIMIT_BYTES = 8 * 1024; // Clerk's own limit for one user's metadata

/** NUL and halves of surrogate pairs, as JSON.stringify writes them: PostgreSQL's jsonb takes neither. */
const UNSTORABLE = /\\u0000|\\ud[89a-f]/;

/** The fields of a request, as Clerk sends them: form fields from the browser, JSON from servers. */
export class Form {
  constructor(private readonly fields: Record<string, unknown>) {}

  has(name: string): boolean {
    return this.fields[name] !== undefined;
  }

  /** A text field, or null where it is absent or blank. */
  text(name: string): string | null {
    const value = this.fields[name];
    if (value === undefined || value === null || value === '') return null;
    if (typeof value !== 'string' || value.includes('\0')) throw clerkErrors.formatInvalid(name);
    return value;
  }

  required(name: string): string {
    const value = this.text(name);
    if (value === null) throw clerkErrors.missing(name);
    return value;
  }

  isTrue(name: string): boolean {
    return this.fields[name] === true || this.fields[name] === 'true';
  }

  integer(name: string): number | null {
    const value = this.fields[name];
    if (value === undefined || value === null || value === '') return null;
    const number = Number(value);
    if (!Number.isSafeInteger(number)) throw clerkErrors.formatInvalid(name);
    return number;
  }

  /** A metadata object, or null where it is absent. The browser sends it as a JSON text. */
  metadata(name: string): Metadata | null {
    const value = this.fields[name];
    if (value === undefined || value === null || value === '') return null;
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const parsed = Buffer.byteLength(text) > METADATA_LIMIT_BYTES ? null : parseObject(text);
    if (!parsed || UNSTORABLE.test(JSON.stringify(parsed))) throw clerkErrors.formatInvalid(name);
    return parsed;
  }
}

function parseObject(text: string): Metadata | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Metadata) : null;
  } catch {
    return null;
  }
}

/** Reads a body of up to 64 KiB; a GET has none. */
export async function readForm(request: Request): Promise<Form> {
  if (request.method === 'GET' || request.body === null) return new Form({});
  const text = await readText(request);
  const type = request.headers.get('content-type') ?? '';
  if (type.includes('application/json')) {
    const fields = text === '' ? {} : parseObject(text);
    if (!fields) throw clerkErrors.bodyInvalid();
    return new Form(fields);
  }
  return new Form(Object.fromEntries(new URLSearchParams(text)));
}

async function readText(request: Request): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = request.body?.getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    length += part.value.byteLength;
    if (length > BODY_LIMIT_BYTES) {
      await reader?.cancel();
      throw clerkErrors.bodyTooLarge();
    }
    chunks.push(part.value);
  }
  return Buffer.concat(chunks).toString('utf8');
}
