// What breaks in each scenario, which code decides how it ends, and the test that proves it.
const proof = (/** @type {string} */ find) => ({ file: 'e2e/scenarios.spec.ts', find });
const IN_EVERY_ORDER = {
  file: 'lib/service/payments/receive-event.db.test.ts',
  find: 'in each of their 24 orders, each delivered twice, end in one and the same state',
};

export const scenarios = [
  {
    name: 'service-outage',
    fault: 'outage=true',
    title: 'Service outage',
    description: 'The tracking service returns 503 while a visitor signs up and pays. It comes back later.',
    decidedBy: { file: 'lib/integration/outbox/policy.ts', find: 'decideNextAttempt' },
    provenBy: proof('an outage loses nothing: leads wait in the outbox, and Stripe sends its webhooks again'),
  },
  {
    name: 'tracker-blocked',
    fault: 'tracker_blocked=true',
    title: 'Tracker blocked',
    description: 'A blocker in the visitor’s browser drops every request to the tracker.',
    decidedBy: { file: 'lib/service/payments/attribution.ts', find: 'decidePaymentAttribution' },
    provenBy: proof('with the tracker blocked the purchase works, and nothing is attributed'),
  },
  {
    name: 'missing-metadata',
    fault: 'drop_subscription_metadata=true',
    title: 'Missing subscription metadata',
    description: 'The checkout session has the three keys, but the subscription does not.',
    decidedBy: { file: 'lib/integration/attribution-metadata.ts', find: 'createAttributedSession' },
    provenBy: proof('without metadata on the subscription the first payment is a sale, and renewals are lost'),
  },
  {
    name: 'duplicate-webhooks',
    fault: 'mode=duplicated',
    title: 'Duplicate webhooks',
    description: 'Clerk and Stripe send every webhook twice at the same moment.',
    decidedBy: { file: 'prisma/service.prisma', find: '@@unique([programId, test, transactionId])' },
    provenBy: IN_EVERY_ORDER,
  },
  {
    name: 'out-of-order-webhooks',
    fault: 'mode=shuffled',
    title: 'Out-of-order webhooks',
    description: 'Events arrive in any order, such as invoice.paid before checkout.session.completed.',
    decidedBy: { file: 'lib/service/payments/receive-event.ts', find: 'recordEvent' },
    provenBy: IN_EVERY_ORDER,
  },
  {
    name: 'delayed-webhooks',
    fault: 'delay_seconds=30',
    title: 'Delayed webhooks',
    description: 'Every webhook arrives ten seconds late.',
    decidedBy: { file: 'lib/integration/outbox/deliver.ts', find: 'receiveReport' },
    provenBy: proof('webhooks that arrive late lead to the same sales'),
  },
];
