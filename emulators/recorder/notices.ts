// What was last recorded of one browser's visitor, such as a lead or a sale, for the bar on its pages. Which messages are mentioned,
// and how, is in the app's profile.
import type { Emulator } from '../core/emulator';
import { formatMoney } from '../core/format';
import { isMatch, type Profile } from '../core/profile';
import type { Message } from '../core/trace';
import { readCookie, VISITOR_COOKIE } from '../core/trace-http';

/** How many of the visitor's newest messages are searched for a notice. */
const NEWEST = 100;
/** An older one would read as the result of what the visitor does now. */
const NEW_FOR_MS = 2 * 60_000;

/** `id` is that of the message. */
export type Notice = { id: number; text: string };

/** The visitor's newest message with a notice, also if a server or a webhook sent it; null if it is not of the last two minutes. */
export async function findNotice(
  { trace, config: { profile } }: Emulator,
  cookies: string | undefined,
  now = Date.now(),
): Promise<Notice | null> {
  const visitor = readCookie(cookies, VISITOR_COOKIE);
  const messages = visitor ? await trace.list({ visitor, limit: NEWEST, isWhole: false }) : [];
  for (const message of messages) {
    if (now - Date.parse(message.at) > NEW_FOR_MS) return null;
    const text = noticeOf(message, profile);
    if (text) return { id: message.id, text };
  }
  return null;
}

function noticeOf(message: Message, { subjects }: Profile): string | undefined {
  const notice = subjects.find((pattern) => isMatch(message, pattern))?.notice;
  const paid = notice && message.from === 'stripe' ? readPaid(message.request.body) : null;
  return paid ? `${notice}: ${paid} paid` : notice;
}

/** What a Stripe event says was paid, with tax: by its invoice, Checkout session or PaymentIntent. */
function readPaid(event: string): string | null {
  try {
    const { amount_paid, amount_total, amount_received, currency } = JSON.parse(event).data.object;
    const amount = amount_paid ?? amount_total ?? amount_received;
    return Number.isSafeInteger(amount) ? formatMoney(amount, currency) : null;
  } catch {
    return null; // it was cut because it was too long
  }
}
