import { describe, expect, test } from 'vitest';
import { readAccount } from './account';
import { applyPromotionCode, showCheckout } from './checkout/page';
import { DAY, newEmail, openAccount, SUCCESS_URL } from './testing/account';

const { emulator, stripe, subscribe, newPrice, pay, advance, eventsAbout, typesAbout } = await openAccount();

const now = () => Math.floor(Date.now() / 1000);

async function newCode(limits: object = {}, coupon: object = {}) {
  const { id } = await stripe.coupons.create({ percent_off: 50, duration: 'forever', ...coupon });
  return {
    coupon: id,
    ...(await stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon: id }, ...limits })),
  };
}

async function open(over: object) {
  return stripe.checkout.sessions.create({
    mode: 'subscription',
    line_items: [{ price: (await newPrice()).id, quantity: 1 }],
    success_url: SUCCESS_URL,
    ...over,
  });
}

describe('a coupon', () => {
  test('counts its redemptions, of subscriptions and of single payments', async () => {
    const { id: coupon } = await stripe.coupons.create({ percent_off: 50 });
    const redeemed = async () => (await stripe.coupons.retrieve(coupon)).times_redeemed;
    const { customer } = await subscribe({ coupon });
    expect(await redeemed()).toBe(1);
    const price_data = { currency: 'usd', unit_amount: 1000, product_data: { name: 'Pen' } };
    const { id } = await open({ mode: 'payment', line_items: [{ price_data, quantity: 1 }], discounts: [{ coupon }] });
    expect(await redeemed(), 'a session that is not paid redeems nothing').toBe(1);
    await pay(id, newEmail());
    await stripe.paymentMethods.attach('pm_card_visa', { customer });
    const [method] = (await stripe.customers.listPaymentMethods(customer)).data;
    const items = [{ price: (await newPrice()).id }];
    const given = { customer, items, default_payment_method: method?.id ?? '', discounts: [{ coupon }] };
    await stripe.subscriptions.create(given);
    expect(await redeemed()).toBe(3);
  });

  test('is used up after max_redemptions, with its promotion codes', async () => {
    const { coupon, id } = await newCode({}, { max_redemptions: 1 });
    await subscribe({ coupon });
    expect(await stripe.coupons.retrieve(coupon)).toMatchObject({
      valid: false,
      times_redeemed: 1,
      max_redemptions: 1,
    });
    expect(await stripe.promotionCodes.retrieve(id)).toMatchObject({ active: false });
    await expect(open({ discounts: [{ coupon }] })).rejects.toMatchObject({ statusCode: 400, code: 'coupon_expired' });
  });

  test('is no longer valid from redeem_by on, on the clock of everyone or of the customer', async () => {
    const { coupon } = await newCode({}, { redeem_by: now() + DAY });
    const { id: customer } = await stripe.customers.create({ email: newEmail() });
    const opening = () => open({ customer, discounts: [{ coupon }] });
    expect(await opening()).toMatchObject({ total_details: { amount_discount: 950 } });
    await advance(customer, 2 * DAY);
    await expect(opening()).rejects.toMatchObject({ message: `Coupon expired: ${coupon}`, code: 'coupon_expired' });
    await expect(stripe.coupons.create({ percent_off: 5, redeem_by: now() - 1 })).rejects.toMatchObject({
      param: 'redeem_by',
    });
  });

  test('that was used up meanwhile does not pay an open session', async () => {
    const { coupon } = await newCode({}, { max_redemptions: 1 });
    const { id } = await open({ discounts: [{ coupon }] });
    await subscribe({ coupon });
    await pay(id, newEmail());
    expect(await stripe.checkout.sessions.retrieve(id)).toMatchObject({ status: 'open', payment_status: 'unpaid' });
  });

  test('is renamed and deleted; subscriptions that have it keep it', async () => {
    const { coupon, id: code } = await newCode();
    const { customer, subscription } = await subscribe({ coupon });
    expect(await stripe.coupons.update(coupon, { name: 'Spring', metadata: { a: '1' } })).toMatchObject({
      ...{ name: 'Spring', metadata: { a: '1' } },
    });
    expect(await stripe.coupons.del(coupon)).toMatchObject({ id: coupon, object: 'coupon', deleted: true });
    await expect(stripe.coupons.retrieve(coupon)).rejects.toMatchObject({ statusCode: 404 });
    expect(await stripe.promotionCodes.retrieve(code)).toMatchObject({ active: false });
    expect(await typesAbout(coupon)).toEqual(['coupon.created', 'coupon.updated', 'coupon.updated', 'coupon.deleted']);
    await advance(customer, 32 * DAY);
    const [renewal] = (await stripe.invoices.list({ subscription })).data;
    expect(renewal).toMatchObject({ billing_reason: 'subscription_cycle', total: 950 });
    const expanded = await stripe.subscriptions.list({ customer, expand: ['data.discounts.source.coupon'] });
    expect(expanded.data[0]?.discounts[0]).toMatchObject({ source: { coupon: { id: coupon, percent_off: 50 } } });
  });

  test('of the ID of one that was deleted has terms of its own, and the earlier discounts keep theirs', async () => {
    const { coupon: id } = await newCode();
    const earlier = await subscribe({ coupon: id });
    await stripe.coupons.del(id);
    await stripe.coupons.create({ id, percent_off: 10, duration: 'forever' });
    const later = await subscribe({ coupon: id });
    const totalOf = async (subscription: string) => (await stripe.invoices.list({ subscription })).data[0]?.total;
    expect(await totalOf(later.subscription)).toBe(1710);
    await advance(earlier.customer, 32 * DAY);
    expect(await totalOf(earlier.subscription)).toBe(950);
  });

  test('that was deleted meanwhile does not pay an open session', async () => {
    const { coupon } = await newCode();
    const { id } = await open({ discounts: [{ coupon }] });
    await stripe.coupons.del(coupon);
    await pay(id, newEmail());
    expect(await showCheckout(emulator, id), 'its page says so').toMatchObject({ lastAttempt: expect.anything() });
  });
});

describe('a promotion code', () => {
  test('is in the renewals that Checkout names: for as long as its coupon lasts', async () => {
    const renewalsWith = async (coupon: object) => {
      const { code } = await newCode({}, coupon);
      const { id } = await open({ allow_promotion_codes: true });
      await applyPromotionCode(emulator, id, code);
      return (await showCheckout(emulator, id))?.renewals.map(({ amount }) => amount);
    };
    expect(await renewalsWith({ duration: 'forever' })).toEqual([950]);
    expect(await renewalsWith({ duration: 'repeating', duration_in_months: 3 })).toEqual([950, 1900]);
    expect(await renewalsWith({ duration: 'once' })).toEqual([1900]);
  });

  const redeem = async (code: string, over: object = {}) => {
    const { id } = await open({ allow_promotion_codes: true, ...over });
    await applyPromotionCode(emulator, id, code);
    const view = await showCheckout(emulator, id);
    return view?.lastAttempt?.problem.message ?? `${view?.discount} off`;
  };

  test('counts its redemptions up to its own limit', async () => {
    const { id, code, coupon } = await newCode({ max_redemptions: 1 });
    await subscribe({ promotionCode: id });
    expect(await stripe.promotionCodes.retrieve(id)).toMatchObject({ times_redeemed: 1, active: false });
    expect(await stripe.coupons.retrieve(coupon)).toMatchObject({ times_redeemed: 1, valid: true });
    expect(await redeem(code)).toBe('This code is invalid.');
    await expect(stripe.promotionCodes.update(id, { active: true })).rejects.toMatchObject({ param: 'active' });
  });

  test('that was used up meanwhile does not pay an open session', async () => {
    const { id: promotion_code } = await newCode({ max_redemptions: 1 });
    const [first, second] = [
      await open({ discounts: [{ promotion_code }] }),
      await open({ discounts: [{ promotion_code }] }),
    ];
    for (const { id } of [first, second]) await pay(id, newEmail());
    expect(await stripe.checkout.sessions.retrieve(first.id)).toMatchObject({ status: 'complete' });
    expect(await stripe.checkout.sessions.retrieve(second.id)).toMatchObject({ status: 'open' });
    expect(await stripe.promotionCodes.retrieve(promotion_code)).toMatchObject({ times_redeemed: 1 });
  });

  test('ends at expires_at', async () => {
    const { id: customer } = await stripe.customers.create({ email: newEmail() });
    const { code } = await newCode({ expires_at: now() + DAY });
    expect(await redeem(code, { customer })).toBe('950 off');
    await advance(customer, 2 * DAY);
    expect(await redeem(code, { customer })).toBe('This code is invalid.');
  });

  test('can be for one customer, for first payments, and from an amount on', async () => {
    const { customer } = await subscribe();
    const { id: other } = await stripe.customers.create({ email: newEmail() });
    const own = await newCode({ customer });
    expect([await redeem(own.code, { customer }), await redeem(own.code, { customer: other })]).toEqual([
      '950 off',
      'This code is invalid.',
    ]);
    const first = await newCode({ restrictions: { first_time_transaction: true } });
    expect(await redeem(first.code, { customer: other })).toBe('950 off');
    expect(await redeem(first.code, { customer })).toContain('prior transactions');
    const restrictions = { minimum_amount: 2000, minimum_amount_currency: 'usd' };
    expect(await redeem((await newCode({ restrictions })).code)).toContain('$20.00');
  });

  test('is switched off and on, and listed by its coupon', async () => {
    const { id, code, coupon } = await newCode();
    expect(await stripe.promotionCodes.update(id, { active: false, metadata: { a: '1' } })).toMatchObject({
      ...{ active: false, metadata: { a: '1' } },
    });
    expect(await redeem(code)).toBe('This code is invalid.');
    await stripe.promotionCodes.update(id, { active: true });
    expect(await redeem(code)).toBe('950 off');
    expect((await stripe.promotionCodes.list({ coupon })).data.map((listed) => listed.id)).toEqual([id]);
  });

  test('that is changed is reported with what it was, and expires although it was off meanwhile', async () => {
    const expires_at = now() + DAY;
    const { id } = await newCode({ expires_at });
    await stripe.promotionCodes.update(id, { metadata: { a: '1' } });
    for (const active of [false, true]) await stripe.promotionCodes.update(id, { active });
    const updates = (await eventsAbout(id)).filter(({ type }) => type === 'promotion_code.updated');
    expect(updates.map(({ data }) => data.previous_attributes)).toEqual([
      { metadata: { a: null } },
      { active: true },
      { active: false },
    ]);
    const [due] = await readAccount(emulator, ({ sql }) => sql('SELECT due_at::int FROM object WHERE id = $1', [id]));
    expect(due).toEqual({ due_at: expires_at });
  });

  test('is one, whatever the case of its letters; a customer may have their own of the same name', async () => {
    const name = `SPRING${newEmail().slice(0, 8)}`;
    const { customer } = await subscribe();
    const forAll = await newCode({ code: name });
    await expect(newCode({ code: name.toLowerCase() })).rejects.toMatchObject({ code: 'resource_already_exists' });
    const own = await newCode({ code: name.toLowerCase(), customer }, { percent_off: 100 });
    const listed = await stripe.promotionCodes.list({ code: name.toLowerCase(), active: true });
    expect(listed.data.map(({ id }) => id)).toEqual([own.id, forAll.id]);
    expect([await redeem(name), await redeem(name, { customer })]).toEqual(['950 off', '1900 off']);
  });
});
