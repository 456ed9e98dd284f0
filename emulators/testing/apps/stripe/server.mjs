// A subscription app on plain Node, written by following Stripe's quickstarts. It does not set a host,
// so the SDK sends its requests to api.stripe.com.
import { createServer } from 'node:http';
import Stripe from 'stripe';

const stripe = new Stripe(process.env.STRIPE_SECRET_KEY);
const domain = `http://localhost:${process.env.PORT}`;
/** @type {string[]} */
const events = [];

/** @type {Record<string, (body: string, request: import('node:http').IncomingMessage) => Promise<unknown>>} */
const routes = {
  'POST /create-checkout-session': async () => {
    const prices = await stripe.prices.list({ lookup_keys: ['starter'], expand: ['data.product'] });
    const session = await stripe.checkout.sessions.create({
      mode: 'subscription',
      line_items: [{ price: prices.data[0].id, quantity: 1 }],
      subscription_data: { metadata: { order: '42' } },
      success_url: `${domain}/success?session_id={CHECKOUT_SESSION_ID}`,
      cancel_url: `${domain}/cancel`,
    });
    return { redirect: session.url };
  },
  'POST /create-portal-session': async (body) => {
    const session = await stripe.checkout.sessions.retrieve(new URLSearchParams(body).get('session_id'));
    const portal = await stripe.billingPortal.sessions.create({ customer: session.customer, return_url: domain });
    return { redirect: portal.url };
  },
  'POST /webhook': async (body, request) => {
    const event = stripe.webhooks.constructEvent(
      body,
      request.headers['stripe-signature'],
      process.env.STRIPE_WEBHOOK_SECRET,
    );
    events.push(event.type);
    return { received: true };
  },
  'GET /events': async () => events,
  'GET /success': async () => 'Thank you',
};

createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  const route = routes[`${request.method} ${new URL(request.url, domain).pathname}`];
  try {
    const result = route ? await route(body, request) : null;
    if (result?.redirect) response.writeHead(303, { location: result.redirect }).end();
    else response.writeHead(route ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(result));
  } catch (error) {
    response.writeHead(400, { 'content-type': 'text/plain' }).end(error.message);
  }
}).listen(process.env.PORT, 'localhost');
