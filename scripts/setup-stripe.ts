// npm run setup:stripe: creates the shop's products and prices in the Stripe account of STRIPE_SECRET_KEY. Repeat it freely.
import nextEnv from '@next/env';
import { setUpCatalogue } from '@/lib/integration/stripe/set-up-catalogue';
import { stripeClient } from '@/lib/integration/stripe/stripe-client';

nextEnv.loadEnvConfig(process.cwd(), true, { info: () => {}, error: console.error });

for (const { plan, priceId, created } of await setUpCatalogue(stripeClient())) {
  console.log(`${created ? 'created' : 'found  '}  ${plan}  ${priceId}`);
}
