import type { Form } from './form';
import type { ClientRecord } from './records';

export type Schedule = (work: () => Promise<void>) => void;

/** One request to the sandbox, read and checked, with the browser it came from. */
export type Call = {
  request: Request;
  /** The values of the route's `:names`. */
  params: Record<string, string>;
  query: URLSearchParams;
  form: Form;
  /** The app's origin, as the browser sees it. */
  origin: string;
  now: Date;
  /** The browser's client; null before its first attempt to sign up or in. */
  client: ClientRecord | null;
  /** Set-Cookie headers that go out with the answer. */
  cookies: string[];
  /** Work for after the answer has gone out. */
  afterAnswer: Schedule;
};
