import 'server-only';
import type { Refusal } from '../errors.ts';
import { authenticate } from '../track/check-caller.ts';
import type { Caller } from './caller.ts';

/** What is wrong with a request is for those to know who may send it: 401 comes before 400 (§5). */
export async function refuseRequest(refusal: Refusal, caller: Caller, { fromBrowsers = false } = {}): Promise<Refusal> {
  if (fromBrowsers && caller.credentials.mode === 'browser') return refusal;
  const authenticated = await authenticate(caller);
  return 'code' in authenticated ? authenticated : refusal;
}
