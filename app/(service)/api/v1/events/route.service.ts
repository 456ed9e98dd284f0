import { answerEvents } from '@/lib/service/events/list-events';
import { refuseMethods } from '@/lib/service/http/answer';
import { query } from '@/lib/service/http/query';
import { eventsQuery } from '@/lib/service/schemas';

// §6: the program's tracking events.
export const GET = query(eventsQuery, answerEvents);
export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseMethods('GET');
