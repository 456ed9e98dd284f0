import { describe, expect, test } from 'vitest';
import { aProgram, isRemote, type TestProgram } from '../support/program';
import { deliver, serviceFor } from '../support/service-client';
import {
  chargeRefunded,
  invoicePaid,
  invoicePaymentPaid,
  type Metadata,
  type StripeEvent,
  sessionCompleted,
  subscriptionSession,
} from '../support/stripe-events';
import { unique } from '../support/unique';

// Events arrive through the connected payment account, whose secret is not known outside.
const local = test.skipIf(isRemote);

async function aCustomer(options: Parameters<typeof aProgram>[0] = {}) {
  const program = await aProgram(options);
  const service = serviceFor(program);
  const clickId = await service.clickId();
  const customerKey = unique('user');
  await service.serverLead({ customer_key: customerKey, click_id: clickId });
  const metadata: Metadata = { program_id: program.programId, svc_click_id: clickId, svc_customer_key: customerKey };
  return { program, service, clickId, customerKey, metadata };
}

/** What stands in the feed, without what differs from run to run. */
async function outcome(program: TestProgram) {
  const events = await serviceFor(program).events({ limit: '100' });
  return events
    .filter(({ kind }) => kind !== 'click' && kind !== 'lead')
    .map(
      ({ kind, transaction_id, amount_cents, reason }) => `${kind} ${transaction_id} ${amount_cents} ${reason ?? ''}`,
    )
    .sort();
}

describe('§4 mode payment', () => {
  local('a paid session is one sale, by its PaymentIntent, of what was paid less tax', async () => {
    const { service, metadata, customerKey } = await aCustomer();
    const paymentIntentId = unique('pi');
    const event = sessionCompleted({ metadata, paymentIntentId, amount: 39_900, tax: 7_581 });
    expect(await deliver(event)).toMatchObject({ status: 200, body: { outcome: 'sale' } });
    const sales = await service.events({ kind: 'sale' });
    expect(sales).toMatchObject([
      {
        transaction_id: paymentIntentId,
        amount_cents: 39_900,
        currency: 'usd',
        customer_key: customerKey,
        partner_code: 'ada',
      },
    ]);
  });

  local.each([
    ['unpaid', { payment_status: 'unpaid' }],
    ['free', { amount_total: 0 }],
    ['without payment', { payment_status: 'no_payment_required' }],
  ])('a session that is %s is no sale', async (_, extra) => {
    const { program, metadata } = await aCustomer();
    expect(await deliver(sessionCompleted({ metadata }, extra))).toMatchObject({
      status: 200,
      body: { outcome: 'ignored' },
    });
    expect(await outcome(program)).toEqual([]);
  });

  local('a payment that succeeds later is one sale then', async () => {
    const { program, metadata } = await aCustomer();
    const paymentIntentId = unique('pi');
    await deliver(sessionCompleted({ metadata, paymentIntentId }, { payment_status: 'unpaid' }));
    const later = sessionCompleted({ metadata, paymentIntentId });
    await deliver({ ...later, type: 'checkout.session.async_payment_succeeded' });
    expect(await outcome(program)).toEqual([`sale ${paymentIntentId} 39900 `]);
  });
});

describe('§4 mode subscription', () => {
  local('the first payment is one sale, although it arrives as a session and as an invoice', async () => {
    const { program, metadata } = await aCustomer();
    const invoiceId = unique('in');
    await deliver(subscriptionSession({ metadata, invoiceId }));
    expect(await deliver(invoicePaid({ metadata, invoiceId }))).toMatchObject({ body: { outcome: 'known_sale' } });
    expect(await outcome(program)).toEqual([`sale ${invoiceId} 1900 `]);
  });

  local('a renewal attributes by the metadata of the subscription', async () => {
    const { service, metadata } = await aCustomer();
    await deliver(invoicePaid({ metadata }));
    await deliver(invoicePaid({ metadata }, { billing_reason: 'subscription_cycle' }));
    expect(await service.events({ kind: 'sale' })).toMatchObject([{ partner_code: 'ada' }, { partner_code: 'ada' }]);
  });

  local('without metadata in the subscription, renewals do not attribute', async () => {
    const { program, metadata } = await aCustomer();
    const [invoiceId, renewalId, subscription] = [unique('in'), unique('in'), unique('sub')];
    await deliver(subscriptionSession({ metadata, invoiceId }, { subscription }));
    const bare = { parent: { subscription_details: { metadata: {}, subscription } } };
    expect(await deliver(invoicePaid({ metadata: {}, invoiceId: renewalId }, bare))).toMatchObject({
      body: { outcome: 'not_attributed', reason: 'no_attribution' },
    });
    expect(await outcome(program)).toEqual([
      `not_attributed ${renewalId} 1900 no_attribution`,
      `sale ${invoiceId} 1900 `,
    ]);
  });

  local('a payment without metadata that belongs to nothing known is no sale', async () => {
    expect(await deliver(invoicePaid({ metadata: {} }))).toMatchObject({
      body: { outcome: 'not_attributed', reason: 'no_program' },
    });
  });

  local('the start of a trial is no sale', async () => {
    const { program, metadata } = await aCustomer();
    await deliver(subscriptionSession({ metadata, amount: 0 }, { payment_status: 'no_payment_required' }));
    await deliver(invoicePaid({ metadata, amount: 0 }));
    expect(await outcome(program)).toEqual([]);
  });

  local('invoices in the shape of older API versions are read too', async () => {
    const { program, metadata } = await aCustomer();
    const invoiceId = unique('in');
    const old = {
      parent: undefined,
      total_taxes: undefined,
      tax: 361,
      subscription_details: { metadata },
      subscription: 'sub_1',
    };
    await deliver(invoicePaid({ metadata: {}, invoiceId, amount: 1900 + 361 }, old));
    expect(await outcome(program)).toEqual([`sale ${invoiceId} 1900 `]);
  });
});

describe('§4 both paths for one payment', () => {
  local('a payment on path A that path B reports too is one sale: 409', async () => {
    const { program, service, metadata, customerKey } = await aCustomer();
    const invoiceId = unique('in');
    await deliver(invoicePaid({ metadata, invoiceId }));
    const sale = await service.sale({ customer_key: customerKey, transaction_id: invoiceId });
    expect(sale).toMatchObject({ status: 409, body: { code: 'duplicate_transaction' } });
    expect(await outcome(program)).toEqual([`sale ${invoiceId} 1900 `]);
  });

  local('a sale of path B that path A reports too is one sale', async () => {
    const { program, service, metadata, customerKey } = await aCustomer();
    const invoiceId = unique('in');
    await service.sale({ customer_key: customerKey, transaction_id: invoiceId });
    expect(await deliver(invoicePaid({ metadata, invoiceId }))).toMatchObject({ body: { outcome: 'known_sale' } });
    expect(await outcome(program)).toEqual([`sale ${invoiceId} 1900 `]);
  });
});

describe('§4 who a payment is attributed to', () => {
  local('by svc_customer_key of a known customer where there is no click', async () => {
    const { service, metadata } = await aCustomer();
    const { svc_click_id: _, ...rest } = metadata;
    await deliver(invoicePaid({ metadata: rest }));
    expect(await service.events({ kind: 'sale' })).toMatchObject([{ partner_code: 'ada' }]);
  });

  local('a settled attribution never changes, whatever click a later payment names', async () => {
    const { service, metadata } = await aCustomer();
    await deliver(invoicePaid({ metadata: { ...metadata, svc_click_id: await service.clickId('grace') } }));
    expect(await service.events({ kind: 'sale' })).toMatchObject([{ partner_code: 'ada' }]);
  });

  local('a blank click is no click', async () => {
    const { service, metadata } = await aCustomer();
    await deliver(invoicePaid({ metadata: { ...metadata, svc_click_id: '' } }));
    expect(await service.events({ kind: 'sale' })).toHaveLength(1);
  });

  local.each([
    ['unknown_customer', { svc_customer_key: 'nobody' }],
    ['unknown_click', { svc_customer_key: 'nobody', svc_click_id: 'clk_nothing' }],
    ['no_attribution', {}],
  ])('a payment that matches no customer is no sale, and kept with its reason: %s', async (reason, keys) => {
    const program = await aProgram();
    const invoiceId = unique('in');
    const event = invoicePaid({ metadata: { program_id: program.programId, ...keys }, invoiceId });
    expect(await deliver(event)).toMatchObject({ status: 200, body: { outcome: 'not_attributed', reason } });
    await deliver(event);
    expect(await outcome(program)).toEqual([`not_attributed ${invoiceId} 1900 ${reason}`]);
  });

  local('a click of another program is an unknown click', async () => {
    const other = await aCustomer();
    const program = await aProgram();
    const metadata = { ...other.metadata, program_id: program.programId };
    expect(await deliver(invoicePaid({ metadata }))).toMatchObject({ body: { reason: 'unknown_click' } });
  });
});

describe('§4 through the connected payment account', () => {
  local('an event of the other mode is kept as not attributed: mode_mismatch', async () => {
    const { service, metadata } = await aCustomer();
    await deliver({ ...invoicePaid({ metadata }), livemode: true });
    expect(await service.events({ kind: 'not_attributed' })).toMatchObject([{ reason: 'mode_mismatch' }]);
    expect(await service.events({ kind: 'sale' })).toEqual([]);
  });

  local('a program that is connected live takes live payments only', async () => {
    const { metadata } = await aCustomer({ payments: { accountId: 'acct_1', mode: 'live' } });
    expect(await deliver(invoicePaid({ metadata }))).toMatchObject({ body: { reason: 'mode_mismatch' } });
    expect(await deliver({ ...invoicePaid({ metadata }), livemode: true })).toMatchObject({
      body: { outcome: 'sale' },
    });
  });

  local('an event of another account is not attributed: account_mismatch', async () => {
    const { metadata } = await aCustomer();
    const event = { ...invoicePaid({ metadata }), account: 'acct_other' } as StripeEvent;
    expect(await deliver(event)).toMatchObject({ body: { reason: 'account_mismatch' } });
  });

  local('a program without a connected account takes none: no_payment_account', async () => {
    const { metadata } = await aCustomer({ payments: null });
    expect(await deliver(invoicePaid({ metadata }))).toMatchObject({ body: { reason: 'no_payment_account' } });
  });
});

describe('§4 refunds (an extension of ours)', () => {
  local('a refund of a one-off payment adds an event, and deletes nothing', async () => {
    const { program, metadata } = await aCustomer();
    const paymentIntentId = unique('pi');
    await deliver(sessionCompleted({ metadata, paymentIntentId, amount: 39_900 }));
    await deliver(chargeRefunded({ paymentIntentId, charged: 39_900, refunded: 10_000 }));
    expect(await outcome(program)).toEqual([`refund ${paymentIntentId} 10000 `, `sale ${paymentIntentId} 39900 `]);
  });

  local('a full refund of a taxed payment lowers the sale by all of it, and no more', async () => {
    const { program, metadata } = await aCustomer();
    const paymentIntentId = unique('pi');
    await deliver(sessionCompleted({ metadata, paymentIntentId, amount: 1000, tax: 190 }));
    await deliver(chargeRefunded({ paymentIntentId, charged: 1190, refunded: 1190 }));
    expect(await outcome(program)).toEqual([`refund ${paymentIntentId} 1000 `, `sale ${paymentIntentId} 1000 `]);
  });

  local.each([
    ['as they happen', [0, 1, 2, 3, 4]],
    ['backwards', [4, 3, 2, 1, 0]],
    ['the refunds first', [3, 4, 0, 1, 2]],
    ['the link last', [1, 4, 0, 3, 2]],
  ])(
    'a subscription payment and its refunds have one outcome in every order, each event twice: %s',
    async (_, order) => {
      const { program, metadata } = await aCustomer();
      const ids = { invoiceId: unique('in'), paymentIntentId: unique('pi'), chargeId: unique('ch') };
      const events = [
        subscriptionSession({ metadata, ...ids }),
        invoicePaid({ metadata, ...ids }),
        invoicePaymentPaid(ids.paymentIntentId, ids.invoiceId),
        chargeRefunded({ ...ids, refunded: 500 }),
        chargeRefunded({ ...ids, refunded: 1900 }),
      ];
      for (const index of order) {
        const event = events[index] as StripeEvent;
        expect((await deliver(event)).status).toBe(200);
        expect((await deliver(event)).status).toBe(200);
      }
      const { invoiceId } = ids;
      expect(await outcome(program)).toEqual([
        `refund ${invoiceId} 1400 `,
        `refund ${invoiceId} 500 `,
        `sale ${invoiceId} 1900 `,
      ]);
    },
  );
});
