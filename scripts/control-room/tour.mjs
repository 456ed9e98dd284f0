// The tour beside the shop. Each step is done when the messages say so, whatever the order in which people click.
const CLICKED = { from: 'browser', to: 'service', path: '/api/v1/track/click' };
const SIGNED_UP = { from: 'browser', to: 'clerk', path: '/clerk/v1/client/sign_ups*', response: '"status":"complete"' };
const SIGNED_IN = { from: 'browser', to: 'clerk', path: '/clerk/v1/client/sign_ins*', response: '"status":"complete"' };
const LEAD = { from: 'app', to: 'service', path: '/api/v1/track/lead' };
const EVENT = { from: 'stripe', to: 'service', method: 'POST' };
const FIRST_PAYMENT = { ...EVENT, request: '"billing_reason":"subscription_create"' };
const RENEWAL = { ...EVENT, request: '"billing_reason":"subscription_cycle"' };
const PAID = '"type":"checkout.session.completed"';

/** Not the status before, which the event names too. The first order of fields is the emulator's, the second Stripe's. */
const subscriptionIs = (/** @type {string} */ status) =>
  [`"object":"subscription","status":"${status}"`, `"status":"${status}","test_clock"`].map((request) => ({
    from: 'stripe',
    to: 'app',
    method: 'POST',
    request,
  }));

export const tour = {
  steps: [
    {
      title: 'Arrive through a partner’s link',
      text: 'The link has ?aff=ada. The tracker asks the tracking service for a click ID and stores it in the first-party cookie svc_click_id.',
      done: [{ ...CLICKED, status: 200 }],
      action: { label: 'Open the partner’s link', href: '/?aff=ada' },
    },
    {
      title: 'Sign up',
      text: 'The form stores the click ID in unsafe_metadata. Any email works; the password needs eight characters.',
      done: [SIGNED_UP, SIGNED_IN],
      action: { label: 'Open the sign-up page', href: '/sign-up' },
    },
    {
      title: 'Watch the lead settle',
      text: 'Clerk sends user.created. The webhook route stores a report in the outbox and calls the lead endpoint with your API key. Nothing to do here.',
      done: [{ ...LEAD, status: 200 }],
      action: { label: 'See the account', href: '/account' },
    },
    {
      title: 'Buy a subscription',
      text: 'The checkout session carries the three keys twice: in metadata and in subscription_data.metadata. Choose Studio monthly, which renews in a month, and pay with 4242 4242 4242 4242.',
      done: [{ from: 'stripe', to: 'service', request: PAID }],
      action: { label: 'Choose a plan', href: '/pricing' },
    },
    {
      title: 'See the sale',
      text: 'The tracking service reads Stripe’s webhook and attributes the payment. One payment is one sale, however many events report it.',
      done: [
        { ...FIRST_PAYMENT, response: '"outcome":"sale"' },
        { from: 'stripe', to: 'service', request: PAID, response: '"outcome":"sale"' },
      ],
      action: { label: 'See the plan', href: '/account' },
    },
    {
      title: 'Let a month pass',
      text: 'Advance this visitor’s time. Stripe renews the subscription, and the renewal’s invoice still carries the keys: a second sale. A yearly or lifetime plan does not renew within a month.',
      done: [{ ...RENEWAL, response: '"outcome":"sale"' }],
      action: { label: 'Advance one month', advance: 'month' },
    },
  ],
  remarks: [
    {
      when: [{ ...CLICKED, status: null }],
      until: [{ ...CLICKED, status: 200 }],
      text: 'The tracker is blocked in this browser: there is no click, so nothing this visitor does is attributed. Turn the blocker off and open the link again.',
    },
    {
      when: [SIGNED_IN],
      until: [SIGNED_UP],
      text: 'You are signed in to an existing account. A lead is settled once, at sign-up: choose Start again as a new visitor.',
    },
    {
      when: [{ ...LEAD, status: 503 }],
      until: [{ ...LEAD, status: 200 }],
      text: 'The tracking service is down. The lead waits in the outbox and is retried automatically.',
    },
    {
      when: [{ ...LEAD, status: 400 }],
      until: [{ ...LEAD, status: 200 }],
      text: 'The service has no click for this visitor: the sign-up counts as not referred (400), which is not an error.',
    },
    {
      when: subscriptionIs('past_due'),
      until: subscriptionIs('active'),
      text: 'A renewal could not be paid: Stripe retries after 3, 5 and 7 days. Nothing is recorded as a sale until it is paid.',
    },
    {
      when: [
        { ...RENEWAL, response: '"outcome":"not_attributed"' },
        { ...RENEWAL, response: '"reason":"no_program"' },
      ],
      text: 'The renewal is not attributed: its invoice carries no metadata. This happens when subscription_data.metadata is left out.',
    },
    {
      when: [{ ...FIRST_PAYMENT, response: '"outcome":"not_attributed"' }],
      text: 'The payment is not attributed: its customer came without a partner’s link.',
    },
  ],
};
