import { ingest } from '@/lib/service/http/endpoint';
import { refuseMethods, respondToPreflight } from '@/lib/service/http/respond';
import { leadBody } from '@/lib/service/schemas';
import { recordLead } from '@/lib/service/track/record-lead';

// §4: a lead, from a server with the API key, or from the browser tracker without one.
export const POST = ingest({ schema: leadBody, from: 'both', call: recordLead });
export const OPTIONS = respondToPreflight;
export const { GET, PUT, PATCH, DELETE } = refuseMethods('POST', 'OPTIONS');
