// npm run setup:stripe: creates the shop's products and prices in the Stripe account of STRIPE_SECRET_KEY. Repeat it freely.
import './use-environment';
import { stripeClient } from '@/lib/integration/stripe/client';
import { setUpCatalogue } from '@/lib/shop/catalogue';

try {
  for (const { plan, priceId, state } of await setUpCatalogue(stripeClient())) {
    console.log(`${state.padEnd(8)}  ${plan}  ${priceId}`);
  }
} catch (error) {
  // Stripe's messages name the key by its last four characters at most.
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
