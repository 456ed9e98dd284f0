import { readText, WEBHOOK_LIMIT_BYTES } from '@/lib/service/http/read-body';
import { guard, handle, refuseMethods, respond } from '@/lib/service/http/respond';
import { log } from '@/lib/service/log';
import { receivePaymentEvent } from '@/lib/service/payments/receive-event';

// §4, payment-provider path: events of the connected payment account.
export async function POST(request: Request): Promise<Response> {
  return handle(request, async () => {
    const text = await readText(request, WEBHOOK_LIMIT_BYTES);
    if (!text.ok) {
      log.warn('a payment event was refused: its body was not read', { code: text.code });
      return respond(text);
    }
    const signature = request.headers.get('stripe-signature');
    return respond(await guard(() => receivePaymentEvent(text.value, signature, new Date())));
  });
}
export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseMethods('POST');
