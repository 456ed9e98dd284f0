import 'server-only';
import type { Answer } from '../answer';
import { publicJwk } from '../session-token';

/** The key that session tokens are checked with, for servers that do not have it as `CLERK_JWT_KEY`. */
export const readJwks = (): Answer => ({ body: { keys: [publicJwk()] } });
