import type { Answer } from '../answer';
import { ENVIRONMENT } from '../resources/environment';

/** What the components draw themselves from. Answered bare, without the envelope. */
export const readEnvironment = (): Answer => ({ body: ENVIRONMENT });
