// Creates the products and prices in the Stripe of STRIPE_SECRET_KEY, and nothing else: before a run that needs them.
import { stripeClient } from '@/lib/integration/stripe/client';
import { setUpCatalog } from '@/lib/shop/catalog';

await setUpCatalog(stripeClient());
