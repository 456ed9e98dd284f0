// Creates the products and prices in a Stripe that was just started and is empty: the emulator of a local run.
import { stripeClient } from '@/lib/integration/stripe/client';
import { setUpCatalogue } from '@/lib/shop/catalogue';

await setUpCatalogue(stripeClient());
