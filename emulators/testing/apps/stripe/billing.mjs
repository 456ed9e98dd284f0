// What the app needs besides its server: prices and a portal configuration, created once, and in tests a clock.
import Stripe from 'stripe';

const stripe = new Stripe(process.env.STRIPE_SECRET_KEY);

/** @type {Record<string, (...args: string[]) => Promise<unknown>>} */
const commands = {
  async setup() {
    const product = await stripe.products.create({ name: 'Starter' });
    const recurring = { interval: /** @type {const} */ ('month') };
    await stripe.prices.create({
      product: product.id,
      currency: 'usd',
      unit_amount: 2000,
      recurring,
      lookup_key: 'starter',
    });
    await stripe.billingPortal.configurations.create({
      features: {
        subscription_cancel: { enabled: true },
        payment_method_update: { enabled: true },
        invoice_history: { enabled: true },
      },
    });
    return 'done';
  },
  /** A customer on a test clock, a payment without Elements, a year on that clock. */
  async simulate() {
    const now = Math.floor(Date.now() / 1000);
    const clock = await stripe.testHelpers.testClocks.create({ frozen_time: now });
    const customer = await stripe.customers.create({ test_clock: clock.id, email: 'clock@example.com' });
    const intent = await stripe.paymentIntents.create({
      amount: 1500,
      currency: 'usd',
      customer: customer.id,
      payment_method: 'pm_card_visa',
      automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
      confirm: true,
    });
    const session = await stripe.checkout.sessions.create({
      mode: 'subscription',
      customer: customer.id,
      line_items: [{ price: (await stripe.prices.list({ lookup_keys: ['starter'] })).data[0].id, quantity: 1 }],
      success_url: 'http://localhost/success',
    });
    return { status: intent.status, clock: clock.id, customer: customer.id, checkout: session.url };
  },
  async advance(clock, customer, days) {
    const { frozen_time } = await stripe.testHelpers.testClocks.retrieve(clock);
    await stripe.testHelpers.testClocks.advance(clock, { frozen_time: frozen_time + Number(days) * 86_400 });
    const invoices = await stripe.invoices.list({ customer });
    return invoices.data.map(({ status, billing_reason }) => `${billing_reason} ${status}`);
  },
};

const [name = '', ...args] = process.argv.slice(2);
console.log(JSON.stringify(await commands[name]?.(...args)));
