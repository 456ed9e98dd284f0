// npm run setup:stripe: creates the shop's products and prices in the Stripe account of STRIPE_SECRET_KEY. Repeat it freely.
import './use-environment';
import { setUpCatalogue } from '@/lib/integration/stripe/set-up-catalogue';
import { stripeClient } from '@/lib/integration/stripe/stripe-client';

for (const { plan, priceId, created } of await setUpCatalogue(stripeClient())) {
  console.log(`${created ? 'created' : 'found  '}  ${plan}  ${priceId}`);
}
