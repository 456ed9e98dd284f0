import { readText, WEBHOOK_LIMIT_BYTES } from '@/lib/service/http/read-body';
import { guard, refuseMethods, respond } from '@/lib/service/http/respond';
import { receivePaymentEvent } from '@/lib/service/payments/receive-event';

// §4, payment-provider path: events of the connected payment account.
export async function POST(request: Request): Promise<Response> {
  const result = await guard(async () => {
    const text = await readText(request, WEBHOOK_LIMIT_BYTES);
    if (!text.ok) return text;
    return receivePaymentEvent(text.value, request.headers.get('stripe-signature'), new Date());
  });
  return respond(result);
}
export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseMethods('POST');
