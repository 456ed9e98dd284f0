import { ingest } from '@/lib/service/http/endpoint';
import { refuseMethods, respondToPreflight } from '@/lib/service/http/respond';
import { clickBody } from '@/lib/service/schemas';
import { recordClick } from '@/lib/service/track/record-click';

// §1: click capture, from the browser.
export const POST = ingest({ schema: clickBody, from: 'browsers', call: recordClick });
export const OPTIONS = respondToPreflight;
export const { GET, PUT, PATCH, DELETE } = refuseMethods('POST', 'OPTIONS');
