import { refuseMethods } from '@/lib/service/http/answer';
import { ingest } from '@/lib/service/http/ingest';
import { saleBody } from '@/lib/service/schemas';
import { recordSale } from '@/lib/service/track/record-sale';

// §4: a finalized sale, from a server only: no preflight is answered.
export const POST = ingest({ schema: saleBody, fromBrowsers: false, call: recordSale });
export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseMethods('POST');
