import type { HonoRequest } from 'hono';
import { clerkErrors } from './errors';
import type { Metadata } from './objects/json';

const METADATA_LIMIT_BYTES = 8 * 1024; // Clerk's own limit for one user's metadata
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const EMAIL_MAX = 254;
const PASSWORD = { min: 8, max: 72 };

/** Without NUL and lone surrogates, keys included: PostgreSQL's jsonb rejects both. */
function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\0') && !/\p{Surrogate}/u.test(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).flat().every(isStorable);
}

/** The fields of a request, as Clerk's SDKs send them: form fields from the browser, JSON from servers. */
export class Form {
  constructor(private readonly fields: Record<string, unknown>) {}

  has(name: string): boolean {
    return this.fields[name] !== undefined;
  }

  /** @throws form_param_unknown for any other field; the message says `what` with that field */
  allowOnly(names: readonly string[], what: string): void {
    const other = Object.keys(this.fields).find((name) => this.has(name) && !names.includes(name));
    if (other) throw clerkErrors.notCovered(`${what} with ${other}`, other);
  }

  /** @throws form_param_unknown for one of these fields; the message says `what` with that field */
  refuse(names: readonly string[], what: string): void {
    const given = names.find((name) => this.text(name) !== null);
    if (given) throw clerkErrors.notCovered(`${what} with ${given}`, given);
  }

  /** A text field, or null if absent or empty. */
  text(name: string): string | null {
    const value = this.fields[name];
    if (value === undefined || value === null || value === '') return null;
    if (typeof value !== 'string' || !isStorable(value)) throw clerkErrors.formatInvalid(name);
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

  /** The fields with `name` as a single value, if the Backend API takes a list. */
  only(name: string): Form {
    const value = this.fields[name];
    if (!Array.isArray(value)) return this;
    if (value.length > 1) throw clerkErrors.notCovered(`more than one ${name}`, name);
    return new Form({ ...this.fields, [name]: value[0] });
  }

  /** A point in time, as an ISO date, in Unix milliseconds. */
  time(name: string): number | null {
    const text = this.text(name);
    if (text === null) return null;
    const time = Date.parse(text);
    if (Number.isNaN(time)) throw clerkErrors.formatInvalid(name);
    return time;
  }

  /** An email address as Clerk stores it: trimmed, in lower case. Null if absent. */
  email(name = 'email_address'): string | null {
    const address = this.text(name)?.trim().toLowerCase();
    if (address === undefined) return null;
    if (address.length > EMAIL_MAX || !EMAIL.test(address)) throw clerkErrors.emailInvalid(name);
    return address;
  }

  /** A new password within Clerk's limits. Null if absent. */
  newPassword(name = 'password'): string | null {
    const password = this.text(name);
    if (password === null) return null;
    if (password.length < PASSWORD.min) throw clerkErrors.passwordTooShort(name);
    if (password.length > PASSWORD.max) throw clerkErrors.passwordTooLong(name);
    return password;
  }

  /** The names that were sent; null for an empty one. */
  names(): { first_name?: string | null; last_name?: string | null } {
    return {
      ...(this.has('first_name') && { first_name: this.text('first_name') }),
      ...(this.has('last_name') && { last_name: this.text('last_name') }),
    };
  }

  /** A metadata object, or null if absent. The browser sends it as JSON text. */
  metadata(name: string): Metadata | null {
    const value = this.fields[name];
    if (value === undefined || value === null || value === '') return null;
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const parsed = parseObject(text);
    if (!parsed || !isStorable(parsed)) throw clerkErrors.formatInvalid(name);
    return withinLimit(name, parsed);
  }
}

/** @throws form_param_exceeds_allowed_size for metadata that is too large, by itself or after a merge */
export function withinLimit(name: string, metadata: Metadata): Metadata {
  if (Buffer.byteLength(JSON.stringify(metadata)) <= METADATA_LIMIT_BYTES) return metadata;
  throw clerkErrors.tooLarge(name, METADATA_LIMIT_BYTES);
}

function parseObject(text: string): Metadata | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Metadata) : null;
  } catch {
    return null;
  }
}

export async function readForm(request: HonoRequest): Promise<Form> {
  const text = await request.text();
  if (!request.header('content-type')?.includes('application/json')) {
    return new Form(Object.fromEntries(new URLSearchParams(text)));
  }
  const fields = text === '' ? {} : parseObject(text);
  if (!fields) throw clerkErrors.bodyInvalid();
  return new Form(fields);
}
