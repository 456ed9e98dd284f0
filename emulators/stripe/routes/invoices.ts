// Invoices with their payments, the items that wait for the next one, and credit notes.
import { z } from 'zod';
import { collectInvoice, declineOf, defaultMethod, NO_METHOD } from '../billing/collection';
import { issueCreditNote, voidCreditNote } from '../billing/credit-notes';
import { isProcessing } from '../billing/invoice-payments';
import {
  announceStatus,
  endOverdue,
  markUncollectible,
  recordPayment,
  setDelinquent,
  subscriptionOf,
  voidInvoice,
} from '../billing/invoices';
import { resolveMethod } from '../billing/payment-methods';
import { refuseMixedCurrencies } from '../billing/pending-items';
import { invalidRequest, missingParam, notCovered } from '../errors';
import { buildInvoiceItem } from '../objects/adjustments';
import { currency, expand, flag, integer, mergeMetadata, metadata, text } from '../parameters';
import { list, onlyExpand, type Route, retrieve, route } from '../route';
import { search } from '../search';
import type { Store } from '../store';
import type { ApiObject } from '../wire';

const newItem = z.strictObject({
  customer: text,
  amount: integer().optional(),
  currency: currency.optional(),
  description: text.optional(),
  metadata: metadata.optional(),
  pricing: z.strictObject({ price: text }).optional(),
  quantity: integer(1).default(1),
  subscription: text.optional(),
  expand,
});

const newCreditNote = z.strictObject({
  invoice: text,
  amount: integer(1).optional(),
  credit_amount: integer(0).default(0),
  refund_amount: integer(0).default(0),
  out_of_band_amount: integer(0).default(0),
  lines: z
    .array(
      z.strictObject({
        type: z.literal('invoice_line_item'),
        invoice_line_item: text,
        amount: integer(1).optional(),
        quantity: integer(1).optional(),
      }),
    )
    .max(1)
    .optional(),
  memo: text.optional(),
  metadata: metadata.optional(),
  reason: z.enum(['duplicate', 'fraudulent', 'order_change', 'product_unsatisfactory']).optional(),
  expand,
});

const payment = z.strictObject({
  payment_method: text.optional(),
  paid_out_of_band: flag.optional(),
  off_session: flag.optional(),
  expand,
});

export const invoiceRoutes: Route[] = [
  list(
    '/invoices',
    'invoice',
    {
      customer: text.optional(),
      subscription: text.optional(),
      status: z.enum(['draft', 'open', 'paid', 'uncollectible', 'void']).optional(),
    },
    ({ subscription, ...where }) => ({ ...where, parent: subscription && { subscription_details: { subscription } } }),
  ),
  search('/invoices', 'invoice'),
  retrieve('/invoices', 'invoice'),
  route('POST /invoices/:id/pay', payment, async (store, given, { id }) => {
    const invoice = await enterUnpaidInvoice(store, id, 'paid');
    await refuseWhileProcessing(store, invoice, 'paid');
    return payInvoice(store, invoice, given);
  }),
  route('POST /invoices/:id/void', onlyExpand, async (store, _params, { id }) => {
    const invoice = await enterUnpaidInvoice(store, id, 'voided');
    await refuseWhileProcessing(store, invoice, 'voided');
    await voidInvoice(store, invoice);
    await endOverdue(store, invoice);
    return invoice;
  }),
  route('POST /invoices/:id/mark_uncollectible', onlyExpand, async (store, _params, { id }) => {
    const open = await enterUnpaidInvoice(store, id, 'marked as uncollectible', ['open']);
    const invoice = await markUncollectible(store, open);
    await setDelinquent(store, invoice.customer, false);
    await endOverdue(store, invoice);
    return invoice;
  }),
  list('/invoice_payments', 'invoice_payment', {
    invoice: text.optional(),
    status: text.optional(),
    payment: z.strictObject({ type: text.optional(), payment_intent: text.optional() }).optional(),
  }),
  retrieve('/invoice_payments', 'invoice_payment'),
  route('POST /invoiceitems', newItem, createItem),
  list('/invoiceitems', 'invoiceitem', { customer: text.optional(), invoice: text.optional() }),
  retrieve('/invoiceitems', 'invoiceitem'),
  route('DELETE /invoiceitems/:id', z.strictObject({}), async (store, _params, { id }) => {
    const item = await store.get('invoiceitem', id);
    if (item.invoice) throw invalidRequest('An invoice item that is on an invoice cannot be deleted.');
    await store.remove('invoiceitem', id);
    return { id, object: 'invoiceitem', deleted: true };
  }),
  route('POST /credit_notes', newCreditNote, async (store, given) => {
    const invoice = await store.getEntered('invoice', given.invoice, 'invoice');
    const [line] = given.lines ?? [];
    if (line?.quantity !== undefined) throw notCovered('credit notes by quantity; pass `amount`', 'lines[0][quantity]');
    return issueCreditNote(store, invoice, {
      amount: given.amount,
      line: line && { id: line.invoice_line_item, amount: line.amount },
      creditAmount: given.credit_amount,
      refundAmount: given.refund_amount,
      outOfBandAmount: given.out_of_band_amount,
      memo: given.memo ?? null,
      reason: given.reason ?? null,
      metadata: mergeMetadata({}, given.metadata),
    });
  }),
  list('/credit_notes', 'credit_note', { customer: text.optional(), invoice: text.optional() }),
  retrieve('/credit_notes', 'credit_note'),
  route('POST /credit_notes/:id/void', onlyExpand, async (store, _params, { id }) =>
    voidCreditNote(store, await store.getEntered('credit_note', id)),
  ),
];

async function enterUnpaidInvoice(
  store: Store,
  id: string,
  step: string,
  allowed = ['open', 'uncollectible'],
): Promise<ApiObject<'invoice'>> {
  const invoice = await store.getEntered('invoice', id);
  if (invoice.status && allowed.includes(invoice.status)) return invoice;
  throw invalidRequest(
    `This invoice has a status of ${invoice.status} and cannot be ${step}. Only ${allowed.join(' and ')} invoices can.`,
    {
      code: invoice.status === 'paid' ? 'invoice_already_paid' : 'invoice_not_editable',
    },
  );
}

async function refuseWhileProcessing(store: Store, invoice: ApiObject<'invoice'>, step: string): Promise<void> {
  if (!(await isProcessing(store, invoice))) return;
  throw invalidRequest(`This invoice has a payment that is processing and cannot be ${step}.`, {
    code: 'payment_intent_unexpected_state',
  });
}

/** Collects an unpaid invoice now, or marks it as paid elsewhere. A declined card is a refusal with effects (402). */
async function payInvoice(
  store: Store,
  invoice: ApiObject<'invoice'>,
  given: z.output<typeof payment>,
): Promise<ApiObject<'invoice'>> {
  const subscription = await subscriptionOf(store, invoice);
  const before = subscription?.status;
  if (given.paid_out_of_band) {
    await recordPayment(store, subscription, invoice, 'other means');
  } else {
    const use = { customer: invoice.customer, purpose: 'later charges' } as const;
    const method = given.payment_method
      ? (await resolveMethod(store, given.payment_method, use)).id
      : await defaultMethod(store, subscription, invoice.customer ?? '');
    if (!method && invoice.amount_due > 0) throw invalidRequest(NO_METHOD, { code: 'resource_missing' });
    await collectInvoice(store, subscription, invoice, { method, canWait: given.off_session === false });
    if (invoice.status !== 'paid') store.failure = await declineOf(store, invoice.id, 'invoice');
  }
  announceStatus(store, subscription, before);
  return invoice;
}

/** An item for the customer's next invoice: a price, or an amount of its own. Negative amounts are credit. */
async function createItem(store: Store, given: z.output<typeof newItem>): Promise<ApiObject<'invoiceitem'>> {
  const customer = await store.enter(given.customer, { param: 'customer' });
  const price = given.pricing ? await store.get('price', given.pricing.price, 'pricing[price]') : null;
  if (!price && given.amount === undefined) {
    throw missingParam('amount');
  }
  const subscription = given.subscription ? await store.get('subscription', given.subscription, 'subscription') : null;
  if (subscription && subscription.customer !== customer.id) {
    const message = `Customer ${customer.id} does not have a subscription with ID ${subscription.id}`;
    throw invalidRequest(message, { param: 'subscription', code: 'resource_missing' });
  }
  const product = price ? await store.get('product', price.product) : null;
  const itemCurrency = price?.currency ?? given.currency ?? 'usd';
  await refuseMixedCurrencies(store, customer.id, itemCurrency);
  const item = buildInvoiceItem(
    {
      customer,
      currency: itemCurrency,
      subscription: subscription?.id ?? null,
      subscriptionItem: null,
      price,
      quantity: given.quantity,
      amount: price ? (price.unit_amount ?? 0) * given.quantity : (given.amount ?? 0),
      description: given.description ?? product?.name ?? 'Invoice item',
      period: { start: store.now, end: store.now },
      isProration: false,
      taxRates: [],
      metadata: mergeMetadata({}, given.metadata),
    },
    store.now,
  );
  await store.insert(item);
  store.emit('invoiceitem.created', item);
  return item;
}
