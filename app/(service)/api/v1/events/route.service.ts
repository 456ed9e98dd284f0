import { readEvents } from '@/lib/service/events/read-events';
import { query } from '@/lib/service/http/endpoint';
import { refuseMethods } from '@/lib/service/http/respond';
import { eventsQuery } from '@/lib/service/schemas';

// §6: the program's tracking events.
export const GET = query(eventsQuery, readEvents);
export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseMethods('GET');
