import { describe, expect, expectTypeOf, test } from 'vitest';
import { type AttributedSessionParams, attributionMetadata } from './attribution-metadata';

const customer = { customerExternalId: 'user_1', programId: 'prg_1' };
const metadata = attributionMetadata({ clickId: 'clk_1', ...customer });

describe('§2 checkout metadata', () => {
  test('holds the click, the customer and the program', () => {
    expect(metadata).toEqual({ svc_click_id: 'clk_1', svc_customer_key: 'user_1', program_id: 'prg_1' });
  });

  test('svc_click_id is left out if there is no click, never sent empty', () => {
    expect(attributionMetadata({ clickId: null, ...customer })).toEqual({
      svc_customer_key: 'user_1',
      program_id: 'prg_1',
    });
  });
});

describe('§4 for subscriptions, the same three keys must also be in subscription_data.metadata', () => {
  const subscription = { mode: 'subscription', metadata, subscription_data: { metadata } } as const;
  const payment = { mode: 'payment', metadata, payment_intent_data: { metadata } } as const;

  test('a session with all of them compiles', () => {
    expectTypeOf(subscription).toExtend<AttributedSessionParams>();
    expectTypeOf(payment).toExtend<AttributedSessionParams>();
  });

  test('your own keys may stand beside the three', () => {
    expectTypeOf({
      ...payment,
      metadata: { ...metadata, userId: 'user_1', seats: 3 },
    }).toExtend<AttributedSessionParams>();
    const inline: AttributedSessionParams = {
      mode: 'payment',
      metadata: { ...metadata, userId: 'user_1' },
      payment_intent_data: { metadata: { ...metadata, seats: 3 } },
    };
    expect(inline.metadata).toEqual({ ...metadata, userId: 'user_1' });
  });

  test('leaving one out does not compile', () => {
    expectTypeOf<Omit<typeof subscription, 'metadata'>>().not.toExtend<AttributedSessionParams>();
    expectTypeOf<Omit<typeof subscription, 'subscription_data'>>().not.toExtend<AttributedSessionParams>();
    expectTypeOf<Omit<typeof payment, 'metadata'>>().not.toExtend<AttributedSessionParams>();
    expectTypeOf<Omit<typeof payment, 'payment_intent_data'>>().not.toExtend<AttributedSessionParams>();
    expectTypeOf({
      ...subscription,
      subscription_data: { trial_period_days: 14 },
    }).not.toExtend<AttributedSessionParams>();
  });

  test('neither do keys written by hand', () => {
    const byHand = { svc_click_id: 'clk_1', svc_customer_key: 'user_1', program_id: 'prg_1' };
    expectTypeOf({ ...payment, metadata: byHand }).not.toExtend<AttributedSessionParams>();
    expectTypeOf({ ...payment, metadata: { userId: 'user_1' } }).not.toExtend<AttributedSessionParams>();
  });
});
