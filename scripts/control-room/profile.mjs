// What this app tells the control room about itself: lanes, IDs to follow, the code behind each message, the tour and the
// scenarios. The emulators know nothing of it otherwise.

import { isServiceEmbedded } from '../../lib/service/switch.mjs'; // part: service
import { decideEmulated } from '../emulators.mjs';
import { loadEnvironment } from '../local-env.mjs';
import { scenarios } from './scenarios.mjs'; // part: service
import { sources } from './sources.mjs';
import { tour } from './tour.mjs'; // part: service

export { runScenario as scenario } from './run-scenario.mjs'; // part: service

/** This file runs in the emulators' process. @param {string} provider */
const isForwarded = (provider) => process.argv.some((argument) => argument.startsWith(`${provider}=`));

/** With keys of a real account, only what passes this machine is seen. @param {'clerk' | 'stripe'} provider @param {string} name */
function noteOf(provider, name) {
  if (!isForwarded(provider)) return `calls to ${name} are not captured.`;
  return `requests between the browser and ${name} are not captured. The shop's API calls and webhooks are.`;
}

/** What is not captured of a tracking service that is not part of this app. */
const REMOTE = { note: 'it is not part of this app. Requests to it are not captured.' };

// part: service
const LEAD = { label: 'Lead', from: 'app', to: 'service', path: '/api/v1/track/lead' };
const SALE = { label: 'Sale', to: 'service', path: '/api/v1/track/sale' };
const UNATTRIBUTED = { label: 'Payment, not attributed', from: 'stripe', to: 'service' };

/** What the messages to the embedded service are about. */
const SUBJECTS = [
  { label: 'Click', to: 'service', path: '/api/v1/track/click' },
  { ...LEAD, status: 200, notice: 'Lead recorded' },
  { ...LEAD, response: '"code":"not_referred"', notice: 'No lead: not referred' },
  { ...LEAD, notice: 'Lead not recorded' },
  { ...LEAD, label: 'Provisional lead', from: 'browser' },
  { ...SALE, status: 200, notice: 'Sale recorded' },
  { ...SALE, status: 409 }, // recorded before
  { ...SALE, notice: 'Sale not recorded' },
  { label: 'Sale', from: 'stripe', to: 'service', response: '"outcome":"sale"', notice: 'Sale recorded' },
  // The PaymentIntent of an invoice: the invoice's own event says what its payment is.
  { ...UNATTRIBUTED, request: '"type":"payment_intent.succeeded"', response: '"reason":"no_program"' },
  { ...UNATTRIBUTED, response: '"outcome":"not_attributed"', notice: 'Payment, not attributed' },
];
// end: service

/** @param {import('../local-env.mjs').Environment} env */
export function describeApp(env) {
  const emulated = decideEmulated(env);
  // part: service
  const isEmbedded = isServiceEmbedded(env);
  /** A page of the dashboard. @param {string} page */
  const dashboard = (page) => (isEmbedded ? { page: `/dashboard${page}` } : {});
  // end: service
  return {
    root: '../..',
    lanes: {
      app: { label: 'Shop' },
      clerk: emulated.clerk ? {} : { note: noteOf('clerk', 'Clerk') },
      stripe: emulated.stripe ? {} : { note: noteOf('stripe', 'Stripe') },
      service: { label: 'Tracking', ...(isEmbedded ? { paths: ['/dashboard'] } : REMOTE) },
    },
    ids: [
      {
        label: 'Click ID',
        fields: ['svc_click_id', 'click_id', 'existing_click_id'],
        ...dashboard('/customers/{id}'), // part: service
      },
      {
        label: 'Customer',
        fields: ['svc_customer_key', 'customer_key'],
        ...dashboard('/customers?q={id}'), // part: service
      },
      {
        label: 'Lead',
        fields: ['lead_id'],
        ...dashboard('/customers/{id}'), // part: service
      },
    ],
    sources,
    // part: service
    subjects: isEmbedded ? SUBJECTS : [],
    // Both lead through all the parts.
    ...(isEmbedded && emulated.clerk && emulated.stripe && { tour, scenarios }),
    // end: service
  };
}

export const profile = describeApp(loadEnvironment());
