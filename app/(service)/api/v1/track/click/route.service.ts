import { answerPreflight, refuseMethods } from '@/lib/service/http/answer';
import { ingest } from '@/lib/service/http/ingest';
import { clickBody } from '@/lib/service/schemas';
import { recordClick } from '@/lib/service/track/record-click';

// §1: click capture, from the browser.
export const POST = ingest({ schema: clickBody, fromBrowsers: true, call: recordClick });
export const OPTIONS = answerPreflight;
export const { GET, PUT, PATCH, DELETE } = refuseMethods('POST', 'OPTIONS');
