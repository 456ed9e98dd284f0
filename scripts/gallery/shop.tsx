// The states of the shop's pages. Clerk's components need Clerk to show them: e2e/accessibility.spec.ts looks at those.
import { AccountPlan } from '@/app/(shop)/(account)/account/account-plan';
import { PlanList } from '@/app/(shop)/(account)/account/plans/plan-list';
import { TransferCard } from '@/app/(shop)/(account)/account/transfer-card'; // part: demo
import { ChosenPlan } from '@/app/(shop)/(account)/checkout/chosen-plan';
import { PaymentResult } from '@/app/(shop)/(account)/checkout/success/payment-result';
import AccountError from '@/app/(shop)/(account)/error';
import { FormFailed } from '@/app/(shop)/(account)/form-failed';
import { FormSkeleton } from '@/app/(shop)/(account)/form-skeleton';
// part: demo
import { HealthCard } from '@/app/(shop)/(account)/operator/health-card';
import { OutboxCard } from '@/app/(shop)/(account)/operator/outbox-card';
import { TransfersCard } from '@/app/(shop)/(account)/operator/transfers-card';
// end: demo
import { NextStep } from '@/app/(shop)/(account)/welcome/next-step';
import LandingPage from '@/app/(shop)/page';
import PricingPage from '@/app/(shop)/pricing/page';
import { ShopShell } from '@/app/(shop)/shop-shell';
import NotFound from '@/app/not-found';
import { LinkButton } from '@/components/ui/link-button';
import { NavItem } from '@/components/ui/nav-item';
import { PageHeader } from '@/components/ui/page-header';
import { Skeleton } from '@/components/ui/skeleton';
import { PLANS } from '@/lib/integration/plans';
import type { Entitlement } from '@/lib/integration/stripe/entitlement';
import type { OutboxEntry } from '@/lib/shop/outbox'; // part: demo
import { ODD } from './odd-values.mjs'; // part: demo
import { type AppState, daysFromNow } from './state';

const [monthly, yearly] = PLANS;

const subscription: Entitlement = {
  plan: monthly.name,
  status: 'active',
  renewsAt: daysFromNow(30),
  endsAt: null,
  source: 'subscription',
  price: { amount: monthly.amount, currency: monthly.currency },
};

/** The account's frame as a signed-in customer has it, without Clerk's menu. */
const frame = (
  path: string,
  title: string,
  description: string,
  children: React.ReactNode,
  actions?: React.ReactNode,
) => (
  <ShopShell
    links={
      <>
        <NavItem href="/account" isCurrent={path === '/account'}>
          Account
        </NavItem>
        <NavItem href="/account/plans" isCurrent={path === '/account/plans'}>
          Plans
        </NavItem>
      </>
    }
    account={<div className="min-h-11 min-w-11" />}
  >
    <PageHeader title={title} description={description} actions={actions} />
    {children}
  </ShopShell>
);

const account = (state: string, children: React.ReactNode): AppState => ({
  name: `shop/account/${state}`,
  path: '/account',
  page: frame('/account', 'Account', 'Your plan and billing.', <div className="grid gap-4">{children}</div>),
});

const withPlan = (state: string, change: Partial<Entitlement>, besides: Entitlement | null = null) =>
  account(
    state,
    <AccountPlan entitlement={{ ...subscription, ...change }} subscription={besides} hasBilling unopened={null} />,
  );

const checkout = (state: string, children: React.ReactNode): AppState => ({
  name: `shop/checkout/${state}`,
  path: '/checkout',
  page: frame('/checkout', 'Checkout', 'Check the plan, then pay.', children),
});

const plans = (state: string, children: React.ReactNode): AppState => ({
  name: `shop/plans/${state}`,
  path: '/account/plans',
  page: frame('/account/plans', 'Plans', 'Choose or change your plan.', children),
});

const success = (state: string, children: React.ReactNode): AppState => ({
  name: `shop/checkout-success/${state}`,
  path: '/checkout/success',
  page: frame(
    '/checkout/success',
    'Thank you',
    'You can manage your plan in your account.',
    children,
    <LinkButton href="/account">Go to your account</LinkButton>,
  ),
});

const form = (kind: 'sign-in' | 'sign-up', state: string, children: React.ReactNode): AppState => ({
  name: `shop/${kind}/${state}`,
  path: `/${kind}`,
  page: (
    <ShopShell account={<div className="min-h-11 min-w-11" />}>
      <div className="grid justify-items-center py-4">{children}</div>
    </ShopShell>
  ),
});

const welcome = (state: string, children: React.ReactNode): AppState => ({
  name: `shop/welcome/${state}`,
  path: '/welcome',
  page: frame('/welcome', 'Welcome to Larkdesk', 'Your account is ready.', children),
});

// part: demo
const entry = (change: Partial<OutboxEntry>): OutboxEntry => ({
  id: 'user_2abcDEFghi',
  kind: 'lead',
  customerExternalId: 'user_2abcDEFghi',
  state: 'pending',
  attempts: 3,
  lastReason: '503',
  queuedAt: daysFromNow(-1),
  dueAt: daysFromNow(0.01),
  ...change,
});

type Desk = { metrics: Parameters<typeof HealthCard>[0]['metrics']; dead: OutboxEntry[]; pending: OutboxEntry[] };
type Transfers = Parameters<typeof TransfersCard>[0]['transfers'];

const operator = (state: string, children: React.ReactNode): AppState => ({
  name: `shop/operator/${state}`,
  path: '/operator',
  page: frame('/operator', 'Operator', 'Confirm bank transfers, and retry reports to the tracking service.', children),
});

const desk = (state: string, { metrics, dead, pending }: Desk, transfers: Transfers, query = {}): AppState =>
  operator(
    state,
    <div className="grid gap-6">
      <HealthCard metrics={metrics} />
      <TransfersCard transfers={transfers} query={query} />
      <OutboxCard
        dead={{ rows: dead, next: null }}
        pending={{ rows: pending, next: null }}
        query={query}
        now={daysFromNow(0)}
      />
    </div>,
  );

const HEALTHY: Desk = {
  metrics: {
    outboxAgeSeconds: 0,
    pending: 0,
    deadLetters: 0,
    unknownClicks: 0,
    webhookLagSeconds: null,
    reconcileAgeSeconds: null,
  },
  dead: [],
  pending: [],
};

/** The longest reason of a report. */
const GIVEN_UP = 'given up after 7 days: refused: check SVC_API_KEY and NEXT_PUBLIC_SVC_BASE_URL';

const transfer = (invoiceId: string, change: Partial<Transfers['rows'][number]>): Transfers['rows'][number] => ({
  invoiceId,
  userId: 'user_1',
  plan: yearly.name,
  amount: yearly.amount,
  currency: yearly.currency,
  requestedAt: daysFromNow(-3),
  paidAt: null,
  report: undefined,
  ...change,
});

const demoStates: AppState[] = [
  account(
    'transfer',
    <>
      <TransferCard
        transfer={{ invoiceId: 'tr_2026_0001', plan: yearly.name, amount: yearly.amount, currency: yearly.currency }}
      />
      <AccountPlan entitlement={null} subscription={null} hasBilling={false} unopened={null} />
    </>,
  ),
  checkout('transfer-resumed', <ChosenPlan plan={yearly} problem={undefined} resume="transfer" />),
  plans('transfer', <PlanList current={{ plan: yearly.name, source: 'grant' }} subscription={null} />),
  operator('loading', <Skeleton className="h-64" />),
  desk('empty', HEALTHY, { rows: [], next: null }),
  desk('last-page', HEALTHY, { rows: [transfer('tr_1', {})], next: null }, { dead: 'after', transfers: 'after' }),
  desk(
    'odd-values',
    {
      metrics: {
        outboxAgeSeconds: 86_400,
        pending: 10_000,
        deadLetters: 1_000,
        unknownClicks: 1_000,
        webhookLagSeconds: 7_300,
        reconcileAgeSeconds: 90_000,
      },
      dead: [entry({ id: ODD.long, customerExternalId: ODD.long, state: 'dead', lastReason: '400 invalid_body' })],
      pending: [entry({}), entry({ id: ODD.markup, customerExternalId: ODD.rightToLeft, attempts: 10_000 })],
    },
    {
      rows: [
        transfer('tr_1', {}),
        transfer('tr_2', { paidAt: daysFromNow(0), report: { state: 'done', lastReason: 'recorded' } }),
        transfer('tr_3', { paidAt: daysFromNow(0), report: { state: 'dead', lastReason: GIVEN_UP } }),
        transfer('tr_4', { paidAt: daysFromNow(0), plan: 'a_plan_that_is_no_longer_sold' }),
      ],
      next: 'more',
    },
  ),
];
// end: demo

export const shopStates: AppState[] = [
  { name: 'shop/landing/full', path: '/', page: <LandingPage /> },
  { name: 'shop/pricing/full', path: '/pricing', page: <PricingPage /> },
  { name: 'shop/not-found/full', path: '/nowhere', page: <NotFound /> },
  account('loading', <Skeleton className="h-56 max-w-xl" />),
  account('empty', <AccountPlan entitlement={null} subscription={null} hasBilling={false} unopened={null} />),
  account('error', <AccountPlan entitlement={subscription} subscription={null} hasBilling unopened="failed" />),
  account('renewed', <AccountPlan entitlement={subscription} subscription={null} hasBilling unopened="renewed" />),
  withPlan('active', {}),
  withPlan('price-unknown', { price: null }),
  withPlan('trial', {
    plan: yearly.name,
    status: 'trialing',
    price: { amount: yearly.amount, currency: yearly.currency },
  }),
  withPlan('payment-pending', { status: 'incomplete' }),
  withPlan('payment-failed', { status: 'past_due' }),
  withPlan('payment-failed-ending', { status: 'past_due', renewsAt: null, endsAt: daysFromNow(12) }),
  withPlan('payment-needed', { status: 'unpaid' }),
  withPlan('ending', { renewsAt: null, endsAt: daysFromNow(30) }),
  withPlan('ended', { status: 'ended', renewsAt: null, endsAt: daysFromNow(-1) }),
  withPlan('lifetime', { renewsAt: null, source: 'purchase' }),
  withPlan('lifetime-and-subscription', { plan: 'studio_lifetime', renewsAt: null, source: 'purchase' }, subscription),
  withPlan('unknown-plan', { plan: 'a_plan_that_is_no_longer_sold' }),
  {
    name: 'shop/account/failed',
    path: '/account',
    page: (
      <ShopShell>
        <AccountError
          error={Object.assign(new Error('x'), { digest: '1234567890' })}
          reset={() => {}}
          retry={() => {}}
        />
      </ShopShell>
    ),
  },
  form('sign-up', 'loading', <FormSkeleton form="sign-up" />),
  form('sign-up', 'failed', <FormFailed />),
  form('sign-in', 'loading', <FormSkeleton form="sign-in" />),
  welcome('loading', <Skeleton className="h-44 max-w-xl" />),
  welcome('no-plan', <NextStep plan={null} />),
  welcome('chosen-plan', <NextStep plan={yearly} />),
  plans('loading', <Skeleton className="h-96" />),
  plans('no-plan', <PlanList current={null} subscription={null} />),
  plans('subscriber', <PlanList current={subscription} subscription={subscription} />),
  plans('lifetime', <PlanList current={{ plan: 'studio_lifetime', source: 'purchase' }} subscription={null} />),
  checkout('loading', <Skeleton className="h-44 max-w-xl" />),
  checkout('chosen', <ChosenPlan plan={yearly} problem={undefined} resume={undefined} />),
  checkout('error', <ChosenPlan plan={yearly} problem="payment" resume={undefined} />),
  checkout('resumed', <ChosenPlan plan={yearly} problem={undefined} resume="payment" />),
  success('loading', <Skeleton className="h-44 max-w-xl" />),
  success('confirmed', <PaymentResult entitlement={subscription} />),
  success('waiting', <PaymentResult entitlement={null} />),
  ...demoStates, // part: demo
];
