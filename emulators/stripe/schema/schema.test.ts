import Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { buildCreditNote, buildInvoiceItem } from '../objects/adjustments';
import { buildPrice, buildProduct, buildTaxRate } from '../objects/catalog';
import { buildCheckoutSession } from '../objects/checkout-sessions';
import { buildBalanceTransaction, buildCustomer } from '../objects/customers';
import { buildInvoice, buildInvoicePayment } from '../objects/invoices';
import { buildBankAccount, buildCard } from '../objects/payment-methods';
import { buildCharge, buildDispute, buildPaymentIntent, buildRefund } from '../objects/payments';
import { buildConfiguration, buildPortalSession } from '../objects/portal';
import { buildDiscount, buildSubscription } from '../objects/subscriptions';
import { totalsOf } from '../pricing/taxes';
import schema from './stripe.schema.json';
import { schemaProblems } from './validate';

const NOW = 1_795_000_000;
const ISSUED = { seller: 'Acme', url: (id: string) => `http://localhost/${id}`, now: NOW };
const METADATA = { program_id: 'prg_demo' };

function samples(): { object: string }[] {
  const customer = buildCustomer({ email: 'ada@example.com', name: 'Ada', metadata: METADATA }, NOW);
  const product = buildProduct({ name: 'Studio' }, NOW);
  const recurring = { interval: 'month', interval_count: 1 } as const;
  const price = buildPrice({ currency: 'usd', product: product.id, unit_amount: 1900, recurring }, NOW);
  const owner = { customer: customer.id, email: null, name: 'Ada' };
  const card = {
    number: '4242424242424242',
    expMonth: 12,
    expYear: 2034,
    ...owner,
  };
  const method = buildCard(card, NOW);
  const payment = { amount: 1900, currency: 'usd', customer: customer.id, description: 'Studio', metadata: METADATA };
  const intent = buildPaymentIntent(payment, NOW);
  const charge = buildCharge(intent, method, 'succeeded', ISSUED);
  const vat = buildTaxRate({ display_name: 'VAT', percentage: 20, inclusive: false, metadata: {} }, NOW);
  const subscription = buildSubscription(
    {
      customer,
      items: [{ price, quantity: 1, taxRates: [vat] }],
      paymentMethod: method.id,
      metadata: METADATA,
      trialDays: 14,
      description: null,
      hasAutomaticTax: true,
    },
    NOW,
  );
  const coupon = { id: 'SPRING', duration_in_months: 3, percent_off: 20, amount_off: null };
  const discount = { customer: customer.id, coupon, promotionCode: 'promo_1' };
  const line = {
    price,
    quantity: 1,
    amount: 1900,
    description: '1 × Studio',
    period: { start: NOW, end: NOW + 1 },
    subscriptionItem: 'si_1',
    invoiceItem: null,
    isProration: false,
    taxRates: [vat],
    metadata: null,
  };
  const invoice = buildInvoice(
    {
      customer,
      subscription,
      billingReason: 'subscription_cycle',
      currency: 'usd',
      lines: [line],
      discount: { id: 'di_1', coupon },
      metadata: {},
      hasAutomaticTax: true,
    },
    -100,
    ISSUED,
  );
  const note = {
    ...{ invoice, amount: 120, tax: 20, line: null, prePayment: 120, postPayment: 0, outOfBand: 0 },
    ...{ memo: null, reason: null, metadata: {}, sequence: 1 },
  };
  const configuration = buildConfiguration(
    { name: null, businessProfile: {}, defaultReturnUrl: null, features: {}, isDefault: true, metadata: {} },
    NOW,
  );
  const portal = {
    ...{ customer: customer.id, configuration: configuration.id, returnUrl: null, flow: null, locale: null },
    url: (id: string) => id,
  };
  const balance = {
    customer: customer.id,
    amount: -100,
    currency: 'usd',
    endingBalance: -100,
    type: 'adjustment' as const,
  };
  const session = buildCheckoutSession(
    {
      mode: 'subscription',
      currency: 'usd',
      amounts: totalsOf([{ amount: 1900, taxRates: [vat] }], 0),
      url: (id) => `http://localhost/${id}`,
      success_url: 'http://localhost/done',
      cancel_url: null,
      client_reference_id: null,
      customer: customer.id,
      customer_email: null,
      customer_creation: null,
      allow_promotion_codes: true,
      payment_method_collection: 'always',
      expires_at: NOW + 1,
      methodTypes: ['card'],
      automaticTax: { status: 'complete' },
      locale: null,
      billing_address_collection: null,
      needsPhone: true,
      needsConsent: true,
      customText: { submit: { message: 'Thank you' } },
      submit_type: null,
      allowed_payment_method_types: null,
      metadata: METADATA,
      invoiceMetadata: null,
      discounts: [],
    },
    NOW,
  );
  const refund = buildRefund(charge, { amount: 100, reason: 'duplicate', metadata: {}, isToBank: false }, NOW);
  const invoicePayment = buildInvoicePayment(invoice, intent.id, NOW);
  return [
    ...[customer, product, price, method, intent, charge],
    ...[subscription, invoice, session, refund, invoicePayment],
    ...[buildInvoiceItem({ ...line, customer, currency: 'usd', subscription: null, metadata: {} }, NOW)],
    ...[buildCreditNote(note, NOW), buildDispute(charge, NOW), buildBalanceTransaction(balance, NOW)],
    ...[
      configuration,
      buildPortalSession(portal, NOW),
      buildDiscount({ ...discount, appliesTo: { subscription: subscription.id } }, NOW),
    ],
    ...[vat, buildBankAccount({ ...owner, routingNumber: '110000000', accountNumber: '000123456789' }, NOW)],
  ];
}

/** Every object that differs from this one in one field: left out, of another type, or joined by one that does not exist. */
function* mutantsOf(value: unknown): Generator<{ path: string; mutant: unknown }> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield { path: '+unknown', mutant: { ...value, unknown_field: 1 } };
  for (const [key, field] of Object.entries(value)) {
    const replace = (mutant: unknown) =>
      Array.isArray(value) ? value.with(Number(key), mutant) : { ...value, [key]: mutant };
    yield { path: `${key}=wrong`, mutant: replace(typeof field === 'number' ? 'text' : 0.5) };
    if (!Array.isArray(value)) {
      const { [key]: _removed, ...rest } = value as Record<string, unknown>;
      yield { path: `-${key}`, mutant: rest };
    }
    for (const { path, mutant } of mutantsOf(field)) yield { path: `${key}.${path}`, mutant: replace(mutant) };
  }
}

describe("schemas made from the SDK's types", () => {
  test("are of the installed SDK's API version: generate.mjs makes them anew", () => {
    expect(schema.$comment).toContain(`, API ${Stripe.API_VERSION};`);
  });

  test.each(samples().map((object) => [object.object, object] as const))(
    'a %s as it is built fits',
    (_type, object) => {
      expect(schemaProblems(object)).toEqual([]);
    },
  );

  test('hardly any object with one wrong field fits', () => {
    // Metadata may hold any name; what is optional in the SDK may be left out.
    const mutants = samples().flatMap((object) => [...mutantsOf(object)]);
    const missed = mutants.filter(({ mutant }) => schemaProblems(mutant).length === 0);
    console.info(`${mutants.length - missed.length} of ${mutants.length} mutants caught`);
    expect(mutants.length).toBeGreaterThan(1000);
    expect(missed.length / mutants.length).toBeLessThan(0.05);
  });

  test('the object in an event is checked, too', () => {
    const event = {
      id: 'evt_1',
      object: 'event',
      api_version: null,
      created: NOW,
      data: { object: { object: 'product' } },
      livemode: false,
      pending_webhooks: 0,
      request: null,
      type: 'product.created',
    };
    expect(schemaProblems(event).join()).toContain("must have required property 'name'");
  });
});
