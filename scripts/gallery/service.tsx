// The states of the dashboard's pages.

import { CustomerList } from '@/app/(service)/dashboard/_components/customer-list';
import { DashboardFrame } from '@/app/(service)/dashboard/_components/dashboard-frame';
import { EventList } from '@/app/(service)/dashboard/_components/event-list';
import { JourneyThread } from '@/app/(service)/dashboard/_components/journey-thread';
import { OverviewPanels } from '@/app/(service)/dashboard/_components/overview-panels';
import { PartnerList } from '@/app/(service)/dashboard/_components/partner-list';
import { ProgramBar } from '@/app/(service)/dashboard/_components/program-bar';
import { SettingsCards } from '@/app/(service)/dashboard/_components/settings-cards';
import {
  CustomersSkeleton,
  EventsSkeleton,
  JourneySkeleton,
  OverviewSkeleton,
  PartnersSkeleton,
  SettingsSkeleton,
} from '@/app/(service)/dashboard/_components/skeletons';
import PageNotFoundLoading from '@/app/(service)/dashboard/(signed-in)/[...path]/loading.service';
import PageNotFound from '@/app/(service)/dashboard/(signed-in)/[...path]/not-found.service';
import CustomerNotFound from '@/app/(service)/dashboard/(signed-in)/customers/[id]/not-found.service';
import DashboardError from '@/app/(service)/dashboard/(signed-in)/error.service';
import ServiceError from '@/app/(service)/dashboard/error.service';
import SignInPage from '@/app/(service)/dashboard/sign-in/page.service';
import type { Customer } from '@/lib/service/dashboard/customer-queries';
import { addDays, parseDateRange, startOfDay } from '@/lib/service/dashboard/date-range';
import type { DashboardEvent } from '@/lib/service/dashboard/event-queries';
import { buildJourney } from '@/lib/service/dashboard/journey';
import type { Counts, Day, Overview, Period } from '@/lib/service/dashboard/overview-queries';
import type { PartnerSummary } from '@/lib/service/dashboard/partner-queries';
import type { Revenue } from '@/lib/service/dashboard/partner-totals';
import { FEED_KINDS } from '@/lib/service/events/kinds';
import type { ApiKeySummary } from '@/lib/service/keys';
import { ODD } from './odd-values.mjs';
import { type AppState, daysFromNow, NOW } from './state';

const LONG_PROGRAM = { name: ODD.longName, id: `prg_${'x'.repeat(60)}`, isPaused: true };
const PROGRAM = { name: 'Larkdesk partners', id: 'prg_demo', isPaused: false };

function state(name: string, path: string, page: React.ReactNode, program = PROGRAM): AppState {
  const bar = <ProgramBar {...program} other="prg_open" />;
  return {
    name: `dashboard/${name}`,
    path: `/dashboard${path}`,
    page: <DashboardFrame program={bar}>{page}</DashboardFrame>,
  };
}

// Events

const event = (index: number, change: Partial<DashboardEvent> = {}): DashboardEvent => ({
  id: `evt_${index}`,
  kind: 'click',
  isTest: false,
  clickId: `clk_${index}aBcDeFgHiJkLmNoPqRsTuV`,
  partnerCode: 'ada',
  customerKey: null,
  leadId: null,
  leadClickedAt: null,
  email: null,
  transactionId: null,
  money: null,
  reason: null,
  occurredAt: daysFromNow(-index / 24),
  createdAt: daysFromNow(-index / 24),
  ...change,
});

const customer = { customerKey: 'user_2abcDEFghiJKLmno', leadId: 'led_1', email: 'ada@example.com' };
const paid = { ...customer, transactionId: 'in_1AbCdEfGhIjKlMn', money: { amount: 1900, currency: 'usd' } };

const oneOfEach: DashboardEvent[] = [
  event(0),
  event(1, { kind: 'provisional' }),
  event(2, { kind: 'lead', ...customer }),
  event(3, { kind: 'sale', ...paid }),
  event(4, { kind: 'renewal', ...paid }),
  event(5, { kind: 'refund', ...paid }),
  event(6, { kind: 'refund', ...paid, money: null, reason: 'dispute_won' }),
  ...['no_program', 'no_payment_account', 'mode_mismatch', 'no_attribution'].map((reason, index) =>
    event(7 + index, { kind: 'not_attributed', ...paid, partnerCode: null, reason }),
  ),
  ...['unknown_click', 'unknown_customer'].map((reason, index) =>
    event(11 + index, { kind: 'not_attributed', ...paid, leadId: null, email: null, reason }),
  ),
  event(13, { kind: 'lead', ...customer, isTest: true }),
];

const oddEvents: DashboardEvent[] = [
  event(0, { kind: 'sale', ...paid, customerKey: ODD.long, email: ODD.longEmail, partnerCode: 'p'.repeat(64) }),
  event(1, { kind: 'lead', customerKey: ODD.rightToLeft, leadId: 'led_2', email: ODD.rightToLeftEmail }),
  event(2, { kind: 'lead', customerKey: ODD.markup, leadId: 'led_3' }),
  event(3, { kind: 'sale', ...paid, transactionId: ODD.long, money: { amount: 999_999_999_999, currency: 'jpy' } }),
  event(4, { kind: 'not_attributed', ...paid, reason: 'a_reason_of_another_version_that_has_a_very_long_code' }),
];

const many = Array.from({ length: 50 }, (_, index) =>
  event(index, { kind: FEED_KINDS[index % FEED_KINDS.length] ?? 'click', ...(index % 3 > 0 && paid) }),
);

const events = (name: string, shown: DashboardEvent[], filter = {}, nextCursor: string | null = null) =>
  state(
    `events/${name}`,
    '/events',
    <EventList
      page={{ events: shown, nextCursor }}
      filter={filter}
      partners={name === 'ten-thousand' ? null : ['ada', 'grace']}
      shown="1"
      now={NOW}
    />,
  );

// Overview

const RANGE = parseDateRange({}, NOW);
const NOTHING: Counts = { clicks: 0, provisional: 0, leads: 0, sales: 0, renewals: 0, refunds: 0, unattributed: 0 };

const week = (scale: number, index: number): Counts => ({
  clicks: (20 + ((index * 7) % 13)) * scale,
  provisional: 3 * scale,
  leads: (4 + ((index * 3) % 5)) * scale,
  sales: (1 + (index % 3)) * scale,
  renewals: (index % 2) * scale,
  refunds: index % 9 === 0 ? scale : 0,
  unattributed: index % 7 === 0 ? scale : 0,
});

const sum = (days: Day[], revenue: Revenue[]): Period => ({
  ...(Object.fromEntries(
    (Object.keys(NOTHING) as Array<keyof Counts>).map((name) => [
      name,
      days.reduce((total, day) => total + day[name], 0),
    ]),
  ) as Counts),
  revenue,
});

function overviewOf(scale: number, currencies: string[]): Overview {
  const days = (from: Date): Day[] =>
    Array.from({ length: RANGE.days }, (_, index) => ({
      day: addDays(from, index),
      ...(scale > 0 ? week(scale, index) : NOTHING),
      revenue: currencies.map((currency) => ({
        currency,
        sold: ((index * 5) % 7) * 1900 * scale,
        refunded: index % 9 === 0 ? 1900 * scale : 0,
      })),
    }));
  const total = currencies.map((currency) => ({ currency, sold: 159_600 * scale, refunded: 7_600 * scale }));
  const shown = days(RANGE.from);
  const before = days(addDays(startOfDay(RANGE.from), -RANGE.days));
  return {
    current: sum(shown, total),
    previous: sum(before, total),
    days: shown,
    previousDays: before,
    testEvents: { count: scale > 1 ? 1_000 : scale * 20, isCapped: scale > 1 },
  };
}

const overview = (name: string, scale: number, currencies: string[], latest: DashboardEvent[], program = PROGRAM) =>
  state(
    `overview/${name}`,
    '',
    <OverviewPanels
      overview={overviewOf(scale, currencies)}
      events={latest}
      range={RANGE}
      currency=""
      shown="1"
      now={NOW}
    />,
    program,
  );

// Customers and partners

const aCustomer = (index: number, change: Partial<Customer> = {}): Customer => ({
  leadId: `led_${index}`,
  customerKey: `user_${index}AbCdEfGhIjKlMnOp`,
  email: `customer${index}@example.com`,
  partnerCode: 'ada',
  isTest: false,
  settledAt: daysFromNow(-index),
  sales: index,
  amounts: index === 0 ? [] : [{ amount: index * 1900, currency: 'usd' }],
  ...change,
});

const customers = (
  name: string,
  shown: Customer[],
  { search = '', nextCursor = null as string | null, isPartial = false } = {},
) =>
  state(
    `customers/${name}`,
    '/customers',
    <CustomerList
      page={{ customers: shown, nextCursor, isPartial }}
      search={search}
      isFirst={name !== 'ten-thousand'}
      now={NOW}
    />,
  );

const aPartner = (index: number, change: Partial<PartnerSummary> = {}): PartnerSummary => ({
  code: `partner_${index}`,
  name: `Partner ${index}`,
  isActive: index % 3 < 2,
  clicks: index * 100,
  leads: index * 10,
  newSales: index,
  renewals: index * 2,
  revenue: index === 0 ? [] : [{ currency: 'usd', sold: index * 1900, refunded: 0 }],
  ...change,
});

const partners = (
  name: string,
  shown: PartnerSummary[],
  { search = '', nextCursor = null as string | null, isPartial = false } = {},
) =>
  state(
    `partners/${name}`,
    '/partners',
    <PartnerList
      page={{ partners: shown, nextCursor, isPartial }}
      search={search}
      range={RANGE}
      latest={undefined}
      isFirst={nextCursor === null}
      isPaused={false}
      base="https://shop.example"
    />,
  );

// Settings

const aKey = (id: string, change: Partial<ApiKeySummary> = {}): ApiKeySummary => ({
  id,
  label: 'Production',
  last4: 'a1b2',
  access: 'full',
  createdAt: daysFromNow(-90),
  expiresAt: null,
  state: 'active',
  ...change,
});

const settings = (
  name: string,
  keys: ApiKeySummary[],
  change: Partial<Parameters<typeof SettingsCards>[0]['settings']>,
) =>
  state(
    `settings/${name}`,
    '/settings',
    <SettingsCards
      settings={{
        programId: PROGRAM.id,
        name: PROGRAM.name,
        leadAuthPolicy: 'server_verified',
        cookieWindowDays: 60,
        attributionWindowDays: 60,
        isPaused: false,
        payments: { accountId: 'acct_demo', mode: 'test' },
        ...change,
      }}
      keys={{ apiKeys: keys, grantable: ['full', 'api', 'dashboard'], isFirst: true, nextCursor: null }}
      origin="https://track.example"
      now={NOW}
    />,
  );

// Journeys

function journey(
  name: string,
  shown: DashboardEvent[],
  who: { key: string | null; email: string | null; partner: string },
) {
  const record = {
    id: ODD.long,
    affiliate_url: `https://shop.example/?aff=ada&utm=${ODD.long}`,
    partner: ODD.rightToLeft,
  };
  const isTest = name === 'odd-values';
  const lead = who.key === null ? null : { clickId: isTest ? null : 'clk_1', test: isTest };
  return state(
    `journey/${name}`,
    '/customers/led_1',
    <JourneyThread
      journey={{
        customerKey: who.key,
        email: who.email,
        partner: { code: 'ada', name: who.partner },
        isTest,
        nodes: buildJourney(shown, lead).map((node) => ({ ...node, record: node.event && record })),
      }}
      shown="1"
      now={NOW}
    />,
  );
}

const error = Object.assign(new Error('x'), { digest: '1234567890' });
const failure = { error, reset: () => {}, retry: () => {} };
const known = { key: customer.customerKey, email: customer.email, partner: 'Ada Keller' };

export const serviceStates: AppState[] = [
  state('overview/loading', '', <OverviewSkeleton />),
  overview('empty', 0, [], []),
  overview('full', 1, ['usd', 'jpy'], many.slice(0, 8)),
  overview('ten-thousand', 10_000, ['usd', 'eur', 'jpy'], many.slice(0, 8)),
  overview('odd-values', 1, ['usd'], oddEvents, LONG_PROGRAM),
  state('events/loading', '/events', <EventsSkeleton />),
  events('empty', []),
  events('no-match', [], { kind: 'sale' }),
  events('one-of-each', oneOfEach),
  events('odd-values', oddEvents, { customer: ODD.long.slice(0, 200) }),
  events('ten-thousand', many, { cursor: { createdAt: NOW, id: 'evt_1' } }, 'next'),
  state('customers/loading', '/customers', <CustomersSkeleton />),
  customers('empty', []),
  customers('no-match', [], { search: ODD.long }),
  customers(
    'partial',
    Array.from({ length: 50 }, (_, index) => aCustomer(index)),
    { search: 'c', isPartial: true },
  ),
  customers('odd-values', [
    aCustomer(1, { customerKey: ODD.long, email: ODD.longEmail, partnerCode: 'p'.repeat(64) }),
    aCustomer(2, { customerKey: ODD.rightToLeft, email: ODD.rightToLeftEmail, isTest: true }),
    aCustomer(3, { customerKey: ODD.markup, email: null, amounts: [{ amount: -5, currency: 'jpy' }] }),
  ]),
  customers(
    'ten-thousand',
    Array.from({ length: 50 }, (_, index) => aCustomer(index)),
    { nextCursor: 'next' },
  ),
  state('partners/loading', '/partners', <PartnersSkeleton />),
  partners('empty', []),
  partners('no-match', [], { search: ODD.long }),
  partners(
    'partial',
    Array.from({ length: 50 }, (_, index) => aPartner(index)),
    { search: 'p', isPartial: true },
  ),
  partners(
    'full',
    [0, 1, 2].map((index) => aPartner(index)),
  ),
  partners('odd-values', [
    aPartner(1, { name: ODD.longName, code: 'p'.repeat(64), clicks: 123_456_789 }),
    aPartner(2, {
      name: ODD.rightToLeft,
      revenue: ['usd', 'eur', 'jpy'].map((currency) => ({ currency, sold: 1e12, refunded: 1 })),
    }),
    aPartner(3, { name: ODD.markup }),
  ]),
  partners(
    'ten-thousand',
    Array.from({ length: 50 }, (_, index) => aPartner(index)),
    { nextCursor: 'next' },
  ),
  state('settings/loading', '/settings', <SettingsSkeleton />),
  settings(
    'full',
    [aKey('1'), aKey('2', { state: 'expiring', expiresAt: daysFromNow(1) }), aKey('3', { state: 'revoked' })],
    {},
  ),
  settings('paused', [aKey('1', { state: 'expired', label: '' })], {
    isPaused: true,
    payments: { accountId: '', mode: null },
    leadAuthPolicy: 'browser_allowed',
  }),
  settings('odd-values', [aKey('1', { label: ODD.long })], {
    programId: LONG_PROGRAM.id,
    name: ODD.rightToLeft,
    payments: { accountId: ODD.long, mode: 'live' },
  }),
  state('journey/loading', '/customers/led_1', <JourneySkeleton />),
  journey('visitor', [event(1)], { key: null, email: null, partner: 'Ada Keller' }),
  journey('customer', [event(3), event(2, { kind: 'lead', ...customer }), event(1, { kind: 'sale', ...paid })], known),
  journey(
    'not-attributed',
    [event(2, { kind: 'lead', ...customer }), event(1, { kind: 'not_attributed', ...paid, reason: 'no_attribution' })],
    known,
  ),
  journey(
    'odd-values',
    [
      event(2, { kind: 'lead', ...customer, leadId: ODD.long }),
      event(1, { kind: 'sale', ...paid, transactionId: ODD.long }),
    ],
    {
      key: ODD.long,
      email: ODD.longEmail,
      partner: ODD.rightToLeft,
    },
  ),
  state('journey/not-found', '/customers/led_none', <CustomerNotFound />),
  state('not-found/loading', '/nowhere', <PageNotFoundLoading />),
  state('not-found/full', '/nowhere', <PageNotFound />),
  state('events/error', '/events', <DashboardError {...failure} />),
  { name: 'dashboard/overview/unavailable', path: '/dashboard', page: <ServiceError {...failure} /> },
  {
    name: 'dashboard/sign-in/denied',
    path: '/dashboard/sign-in',
    page: <SignInPage searchParams={Promise.resolve({})} />,
  },
];
