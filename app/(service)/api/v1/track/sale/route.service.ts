import { ingest } from '@/lib/service/http/endpoint';
import { refuseMethods } from '@/lib/service/http/respond';
import { recordSale } from '@/lib/service/payments/record-sale';
import { saleBody } from '@/lib/service/schemas';

// §4: a finalized sale, from a server only: no preflight succeeds.
export const POST = ingest({ schema: saleBody, from: 'servers', call: recordSale });
export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseMethods('POST');
