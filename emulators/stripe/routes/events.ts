import { z } from 'zod';
import { text } from '../parameters';
import { list, type Route, retrieve } from '../route';

/** Events can be polled, too: newest first, with the cursors of every list. */
export const eventRoutes: Route[] = [
  list('/events', 'event', { type: text.optional(), types: z.array(text).max(20).optional() }, ({ type, types }) => ({
    type: types ?? type,
  })),
  retrieve('/events', 'event'),
];
