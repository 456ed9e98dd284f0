import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { openAccount, SUCCESS_URL } from '../testing/account';
import { applyPromotionCode, showCheckout } from './page';

const { emulator, stripe } = await openAccount();

const product_data = { name: 'Pen' };

const lineItem = (amount: number, currency = 'usd') => ({
  price_data: { currency, unit_amount: amount, product_data },
  quantity: 1,
});

describe('a session is refused', () => {
  const open = (over: object) =>
    stripe.checkout.sessions.create({
      mode: 'payment',
      line_items: [lineItem(100)],
      success_url: SUCCESS_URL,
      ...over,
    });

  test.each([
    ['success_url', '/done'],
    ['success_url', 'localhost:3000/done'],
    ['cancel_url', 'back'],
    ['cancel_url', 'http://'],
  ])('with a %s that is no address: %s', async (param, address) => {
    await expect(open({ [param]: address })).rejects.toMatchObject({
      ...{ statusCode: 400, code: 'url_invalid', message: 'Not a valid URL', param },
    });
  });

  test('but not with the address of an app, or the ID of the session in it', async () => {
    const addresses = { success_url: 'acme://done?id={CHECKOUT_SESSION_ID}', cancel_url: 'https://acme.example' };
    expect(await open(addresses)).toMatchObject(addresses);
  });

  test.each([
    ['shipping_address_collection', { shipping_address_collection: { allowed_countries: ['US'] } }],
    ['customer_update[shipping]', { customer_update: { shipping: 'auto' } }],
  ])('with %s, as its page asks for no shipping address', async (param, over) => {
    await expect(open(over)).rejects.toMatchObject({
      ...{ statusCode: 400, param, message: expect.stringMatching(/[Tt]he Stripe emulator does not cover/) },
    });
  });

  test('with an item without a quantity', async () => {
    const price_data = { currency: 'usd', unit_amount: 100, product_data };
    await expect(open({ line_items: [lineItem(100), { price_data }] })).rejects.toMatchObject({
      ...{ statusCode: 400, message: 'Quantity is required. Add `quantity` to `line_items[1]`' },
    });
  });

  test.each([
    ['usd', 50, '$0.50 usd'],
    ['gbp', 30, '£0.30 gbp'],
    ['jpy', 50, '¥50 jpy'],
  ])('with a total in %s under %d', async (currency, least, written) => {
    await expect(open({ line_items: [lineItem(least - 1, currency)] })).rejects.toMatchObject({
      code: 'amount_too_small',
      message: `The Checkout Session's total amount due must add up to at least ${written}`,
    });
    expect(await open({ line_items: [lineItem(least, currency)] })).toMatchObject({ amount_total: least });
    expect(await open({ line_items: [lineItem(0, currency)] })).toMatchObject({ amount_total: 0 });
  });

  test('with a total above what Stripe charges', async () => {
    const items = (quantity: number) => [{ ...lineItem(33_333_333), quantity }];
    await expect(open({ line_items: items(4) })).rejects.toMatchObject({
      ...{ statusCode: 400, code: 'amount_too_large', param: 'line_items' },
      message: "The Checkout Session's total amount due must add up to no more than $999,999.99",
    });
    expect(await open({ line_items: items(3) })).toMatchObject({ amount_total: 99_999_999 });
  });

  test('with a coupon in another currency, or one that leaves too little', async () => {
    const euros = await stripe.coupons.create({ amount_off: 10, currency: 'eur' });
    await expect(open({ discounts: [{ coupon: euros.id }] })).rejects.toMatchObject({
      ...{ statusCode: 400, param: 'discounts[0][coupon]' },
    });
    const dollars = await stripe.coupons.create({ amount_off: 60, currency: 'usd' });
    await expect(open({ discounts: [{ coupon: dollars.id }] })).rejects.toMatchObject({ code: 'amount_too_small' });
    expect(await open({ discounts: [{ coupon: dollars.id }], line_items: [lineItem(110)] })).toMatchObject({
      amount_total: 50,
    });
  });

  test('with a promotion code that is not active', async () => {
    const { id: coupon } = await stripe.coupons.create({ percent_off: 20 });
    const openWith = async (active: boolean) => {
      const { id } = await stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon }, active });
      return open({ discounts: [{ promotion_code: id }] });
    };
    await expect(openWith(false)).rejects.toMatchObject({ statusCode: 400, param: 'discounts[0][promotion_code]' });
    expect(await openWith(true)).toMatchObject({ amount_total: 80 });
  });

  test('and its page refuses such a coupon by its promotion code, too', async () => {
    const codeFor = async (coupon: { amount_off: number; currency: string }) => {
      const { id } = await stripe.coupons.create(coupon);
      const code = `C-${randomUUID()}`;
      await stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon: id }, code });
      return code;
    };
    const { id } = await open({ allow_promotion_codes: true });
    for (const coupon of [
      { amount_off: 10, currency: 'eur' },
      { amount_off: 60, currency: 'usd' },
    ]) {
      await applyPromotionCode(emulator, id, await codeFor(coupon));
      expect(await showCheckout(emulator, id)).toMatchObject({
        ...{ total: 100, lastAttempt: { problem: { field: 'promotion_code' } } },
      });
    }
    await applyPromotionCode(emulator, id, await codeFor({ amount_off: 100, currency: 'usd' }));
    expect(await showCheckout(emulator, id)).toMatchObject({ total: 0, lastAttempt: null });
  });
});
