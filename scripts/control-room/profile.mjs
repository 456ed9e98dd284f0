// What this app tells the control room about itself: lanes, IDs to follow, the code behind each message, the tour and the
// scenarios. The emulators know nothing of it otherwise.

import { decideEmulated } from '../emulators.mjs';
import { loadEnvironment } from '../local-env.mjs';
import { scenarios } from './scenarios.mjs'; // part: service
import { sources } from './sources.mjs';
import { tour } from './tour.mjs'; // part: service

export { runScenario as scenario } from './run-scenario.mjs'; // part: service

const emulated = decideEmulated(loadEnvironment());
/** This file runs in the emulators' process. @param {string} provider */
const isForwarded = (provider) => process.argv.some((argument) => argument.startsWith(`${provider}=`));

/** With keys of a real account, only what passes this machine is seen. @param {'clerk' | 'stripe'} provider @param {string} name */
function lane(provider, name) {
  if (emulated[provider]) return {};
  if (!isForwarded(provider))
    return { note: `calls to ${name} are not captured. Webhooks that reach this machine are.` };
  return { note: `requests between the browser and ${name} are not captured. The shop's API calls and webhooks are.` };
}

export const profile = {
  root: '../..',
  lanes: {
    app: { label: 'Shop' },
    clerk: lane('clerk', 'Clerk'),
    stripe: lane('stripe', 'Stripe'),
    service: { label: 'Tracking', paths: ['/dashboard'] },
  },
  ids: [
    {
      label: 'Click ID',
      fields: ['svc_click_id', 'click_id', 'existing_click_id'],
      page: '/dashboard/customers/{id}', // part: service
    },
    {
      label: 'Customer',
      fields: ['svc_customer_key', 'customer_key'],
      page: '/dashboard/customers?q={id}', // part: service
    },
    {
      label: 'Lead',
      fields: ['lead_id'],
      page: '/dashboard/customers/{id}', // part: service
    },
  ],
  subjects: [
    { label: 'Click', to: 'service', path: '/api/v1/track/click' },
    { label: 'Lead', from: 'app', to: 'service', path: '/api/v1/track/lead' },
    { label: 'Provisional lead', from: 'browser', to: 'service', path: '/api/v1/track/lead' },
    { label: 'Sale', to: 'service', path: '/api/v1/track/sale' },
    { label: 'Sale', from: 'stripe', to: 'service', response: '"outcome":"sale"' },
    { label: 'Payment, not attributed', from: 'stripe', to: 'service', response: '"outcome":"not_attributed"' },
  ],
  sources,
  // part: service
  tour,
  scenarios,
  // end: service
};
