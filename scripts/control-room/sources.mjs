// The code that sends each message: the first entry that fits; none where two places send the same. What receives one is found by
// its route file. A test reads every file and name.
const INTEGRATION = 'lib/integration';

/** @type {Array<{ from?: string, to: string, method?: string, path: string, sentBy: { file: string, find: string } }>} */
export const sources = [
  ...fromTo('browser', 'service', {
    'POST /api/v1/track/click': ['lib/tracker/src/capture.ts', 'startCapture'],
    'POST /api/v1/track/lead': ['lib/tracker/src/signup.ts', 'sendSignup'],
  }),
  ...fromTo('app', 'service', {
    'POST /api/v1/track/*': [`${INTEGRATION}/outbox/send.ts`, 'sendReport'],
    'DELETE /api/v1/customers/*': [`${INTEGRATION}/outbox/send.ts`, 'eraseEmail'],
  }),
  ...fromTo('browser', 'app', {
    'POST /api/checkout': ['app/(shop)/buy-buttons.tsx', 'BuyButtons'],
    'POST /api/bank-transfer': ['app/(shop)/transfer-form.tsx', 'TransferForm'], // part: demo
    'POST /api/billing': ['app/(shop)/(account)/manage-billing.tsx', 'ManageBilling'],
  }),
  ...fromTo('browser', 'clerk', {
    'POST /clerk/v1/client/sign_ups': [
      'app/(shop)/(account)/sign-up/[[...sign-up]]/sign-up-form.tsx',
      'useSignUpMetadata',
    ],
    'POST /clerk/v1/client/sign_ins': [
      'app/(shop)/(account)/sign-in/[[...sign-in]]/sign-in-form.tsx',
      'useSignUpMetadata',
    ],
  }),
  ...fromTo('app', 'clerk', {
    'GET /clerk/v1/users/*': ['app/(shop)/api/checkout/route.ts', 'currentUser()'],
    'GET /clerk/v1/users': [`${INTEGRATION}/clerk/reconcile.ts`, 'getUserList'],
  }),
  ...fromTo('app', 'stripe', {
    'POST /v1/customers': [`${INTEGRATION}/stripe/customer.ts`, 'ensureCustomer'],
    'POST /v1/customers/*': [`${INTEGRATION}/stripe/customer.ts`, 'updateEmail'],
    'GET /v1/customers/*': [`${INTEGRATION}/stripe/customer.ts`, 'retrieveStored'],
    'GET /v1/subscriptions?status=incomplete': [`${INTEGRATION}/stripe/billing.ts`, 'cancelUnpaid'],
    'GET /v1/subscriptions?status=all': [`${INTEGRATION}/stripe/billing.ts`, 'listSubscriptions'],
    'GET /v1/subscriptions': [`${INTEGRATION}/stripe/billing.ts`, 'findSubscriptions'],
    'GET /v1/subscriptions/search': [`${INTEGRATION}/stripe/billing.ts`, 'searchSubscriptions'],
    'GET /v1/subscriptions/*': [`${INTEGRATION}/stripe/fulfil.ts`, 'refreshSubscription'],
    'GET /v1/payment_intents/*': [`${INTEGRATION}/stripe/fulfil.ts`, 'refreshRefund'],
    'GET /v1/disputes': [`${INTEGRATION}/stripe/fulfil.ts`, 'refreshRefund'],
    'GET /v1/prices': [`${INTEGRATION}/stripe/prices.ts`, 'listPrices'],
    'GET /v1/products': ['lib/shop/catalog.ts', 'setUpCatalog'],
    'POST /v1/products': ['lib/shop/catalog.ts', 'createProduct'],
    'POST /v1/prices': ['lib/shop/catalog.ts', 'createPrice'],
    'GET /v1/checkout/sessions?status=open': [`${INTEGRATION}/stripe/billing.ts`, 'expireSessions'],
    'GET /v1/checkout/sessions?status=complete': [`${INTEGRATION}/stripe/checkout.ts`, 'findPayment'],
    'GET /v1/checkout/sessions': [`${INTEGRATION}/stripe/checkout.ts`, 'openCheckout'],
    'POST /v1/checkout/sessions': [`${INTEGRATION}/attribution-metadata.ts`, 'createAttributedSession'],
    'POST /v1/checkout/sessions/*': [`${INTEGRATION}/stripe/billing.ts`, 'expireSessions'],
    'POST /v1/billing_portal/*': [`${INTEGRATION}/stripe/portal.ts`, 'openPortal'],
    'GET /v1/billing_portal/*': [`${INTEGRATION}/stripe/portal.ts`, 'openPortal'],
  }),
];

/** @param {string} from @param {string} to @param {Record<string, [file: string, find: string]>} table */
function fromTo(from, to, table) {
  return Object.entries(table).map(([request, [file, find]]) => {
    const [method = '', path = ''] = request.split(' ');
    return { from, to, method, path, sentBy: { file, find } };
  });
}
