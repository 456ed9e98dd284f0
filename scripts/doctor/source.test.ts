import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { examineSource } from './source';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const GOOD = {
  'app/api/checkout/route.ts': `
    const metadata = { svc_click_id: clickId, svc_customer_key: userId, program_id: programId };
    await stripe.checkout.sessions.create({ mode: 'subscription', metadata, subscription_data: { metadata } });`,
  'app/api/webhooks/stripe/route.ts':
    'const body = await request.text(); stripe.webhooks.constructEvent(body, s, secret);',
  'app/sign-up/page.tsx': `'use client';\nexport default () => <SignUp unsafeMetadata={{ svc_click_id: id }} />;`,
};

/** A file that renders a Clerk component. */
const clerk = (name: string, tag: string) =>
  `import { Show, ${name} } from '@clerk/nextjs';\nexport default () => <Show when="signed-out">${tag}</Show>;`;

/** What doctor says of an app with these files. */
function findingsOf(files: Record<string, string>) {
  const folder = mkdtempSync(path.join(tmpdir(), 'doctor-'));
  folders.push(folder);
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
  return examineSource(folder);
}

const blockersOf = (files: Record<string, string>) =>
  findingsOf(files)
    .filter(({ state }) => state === 'blocker')
    .map(({ check, detail }) => `${check}: ${detail}`);

describe("an app's source", () => {
  test('without these mistakes has no blocker', () => {
    expect(findingsOf(GOOD).map(({ state }) => state)).toEqual(['ok', 'ok', 'ok', 'ok']);
  });

  test('of this project has none', () => {
    expect(examineSource('.').filter(({ state }) => state === 'blocker')).toEqual([]);
  });

  // part: demo, emulators, service
  test('of the example without the touch points has blockers, of the one with them has none', () => {
    const blockersIn = (folder: string) => examineSource(folder).filter(({ state }) => state === 'blocker');
    expect(blockersIn('examples/bare').map(({ check }) => check)).toContain('Sign-up');
    expect(blockersIn('examples/minimal')).toEqual([]);
  });
  // end: demo, emulators, service

  test.each([
    [
      'the keys are missing from subscription_data.metadata',
      {
        'app/api/checkout/route.ts': `metadata: { svc_customer_key }, mode: 'subscription' ; stripe.checkout.sessions.create(params)`,
      },
      'Checkout: no key in subscription_data.metadata for the sessions created in app/api/checkout/route.ts',
    ],
    [
      'subscription_data.metadata has other keys',
      {
        'app/api/checkout/route.ts': `stripe.checkout.sessions.create({ mode: 'subscription', metadata: { svc_customer_key }, subscription_data: { metadata: { plan: 'pro' } } })`,
      },
      'Checkout: no key in subscription_data.metadata for the sessions created in app/api/checkout/route.ts',
    ],
    [
      'the mode depends on the price, and only one of the two is complete',
      {
        'app/api/checkout/route.ts': `stripe.checkout.sessions.create({ mode: price.recurring ? 'subscription' : 'payment', metadata: { svc_customer_key } })`,
      },
      'Checkout: no key in subscription_data.metadata for the sessions created in app/api/checkout/route.ts',
    ],
    [
      'no key is written at all',
      { 'app/api/checkout/route.ts': `stripe.checkout.sessions.create({ mode: 'payment' })` },
      'Checkout: no svc_customer_key for the sessions created in app/api/checkout/route.ts.',
    ],
    [
      'of two files that sell, one writes no key',
      { 'lib/upgrade.ts': `stripe.checkout.sessions.create({ mode: 'payment' })` },
      'Checkout: no svc_customer_key for the sessions created in lib/upgrade.ts.',
    ],
    [
      'the click is not handed to Clerk',
      { 'app/sign-up/page.tsx': 'export default () => <SignUp />;' },
      'Sign-up: no unsafeMetadata in app/sign-up/page.tsx',
    ],
    [
      'a button opens the sign-up form as a modal without the click',
      { 'app/header.tsx': clerk('SignUpButton', '<SignUpButton mode="modal" appearance={{ a: (b) => b }} />') },
      'Sign-up: no unsafeMetadata for <SignUpButton mode="modal"> in app/header.tsx',
    ],
    [
      "the sign-up form is Clerk's Account Portal",
      { 'app/sign-up/page.tsx': '', 'app/header.tsx': clerk('SignUpButton', '<SignUpButton />') },
      "Sign-up: <SignUpButton> in app/header.tsx leads to Clerk's Account Portal",
    ],
    [
      'a webhook is parsed before it is verified',
      { 'app/api/webhooks/stripe/route.ts': 'const event = await request.json();' },
      'Webhook bodies: app/api/webhooks/stripe/route.ts parses the body',
    ],
    [
      'a client component reads a secret',
      { 'app/pay.tsx': `'use client';\nfetch(url, { headers: { authorization: process.env.SVC_API_KEY } });` },
      'Secrets: app/pay.tsx exposes a secret to browsers.',
    ],
    [
      'the program API key has a public name',
      { 'lib/svc.ts': 'createServerClient({ apiKey: process.env.NEXT_PUBLIC_SVC_API_KEY });' },
      'Secrets: lib/svc.ts exposes a secret to browsers.',
    ],
    [
      'a secret has a public name',
      { 'lib/stripe.ts': 'new Stripe(process.env.NEXT_PUBLIC_STRIPE_SECRET_KEY);' },
      'Secrets: lib/stripe.ts exposes a secret to browsers.',
    ],
  ])('%s: that is the one blocker', (_, files, expected) => {
    const blockers = blockersOf({ ...GOOD, ...files });
    expect(blockers).toHaveLength(1);
    expect(blockers[0]).toContain(expected);
  });

  test.each([
    ['SignIn', '<SignIn path="/sign-in" />', 'no unsafeMetadata for <SignIn> in app/sign-in.tsx'],
    ['SignInButton', '<SignInButton mode="modal" />', '<SignInButton mode="modal"> in app/sign-in.tsx takes no'],
  ])(
    'a sign-in form without the click is warned of, because "Continue with …" creates users: %s',
    (name, tag, text) => {
      const warnings = findingsOf({ ...GOOD, 'app/sign-in.tsx': clerk(name, tag) }).filter(
        (each) => each.state !== 'ok',
      );
      expect(warnings).toEqual([expect.objectContaining({ state: 'warning', detail: expect.stringContaining(text) })]);
    },
  );

  test.each([
    ['SignIn', '<SignIn unsafeMetadata={{ svc_click_id: id }} />'],
    ['SignIn', '<SignIn {...props} />'],
    ['SignIn', '<SignIn transferable={false} />'], // creates no users
    ['SignInButton', '<SignInButton />'], // lead to the forms
    ['SignUpButton', '<SignUpButton />'],
    ['SignUpButton', '<SignUpButton mode="modal" unsafeMetadata={metadata} />'],
    ['SignUpButton', '<SignUpButton mode="modal" aria-label="Sign up > }" unsafeMetadata={metadata} />'],
  ])("Clerk's %s may be %s", (name, tag) => {
    expect(findingsOf({ ...GOOD, 'app/header.tsx': clerk(name, tag) }).filter(({ state }) => state !== 'ok')).toEqual(
      [],
    );
  });

  test("the app may have a component with the same name as Clerk's", () => {
    const text = `import { SignIn } from './sign-in';\nexport default () => <SignIn />;`;
    expect(findingsOf({ ...GOOD, 'app/header.tsx': text }).filter(({ state }) => state !== 'ok')).toEqual([]);
  });

  test.each([
    ['beside nested settings', "subscription_data: { trial_settings: { end_behavior: { a: 'b' } }, metadata: keys }"],
    ['as an object', 'subscription_data: { metadata: { plan, svc_customer_key: userId } }'],
    ['by a spread', 'subscription_data: { metadata: { ...keys, plan } }'],
    ['by a name', 'subscription_data'],
    ['by a variable', 'subscription_data: data'],
  ])('the keys of renewals may be written %s', (_, written) => {
    const route = `stripe.checkout.sessions.create({ mode: 'subscription', metadata: { svc_customer_key }, ${written} })`;
    expect(blockersOf({ ...GOOD, 'app/api/checkout/route.ts': route })).toEqual([]);
  });

  test.each([
    ['an alias', '@/lib/attribution'],
    ['a relative path', '../../../lib/attribution.js'],
  ])('the keys may come from a file that the checkout imports by %s', (_, specifier) => {
    const files = {
      'app/api/checkout/route.ts': `import { both } from '${specifier}';\nstripe.checkout.sessions.create({ mode: 'subscription', ...both(user) })`,
      'lib/attribution.ts':
        'export const both = () => ({ metadata: { svc_customer_key }, subscription_data: { metadata: { svc_customer_key } } });',
    };
    expect(blockersOf({ ...GOOD, ...files })).toEqual([]);
    expect(blockersOf({ ...GOOD, ...files, 'lib/attribution.ts': 'export const both = () => ({});' })).toHaveLength(1);
  });

  test('the files of lib/integration prove nothing for a checkout that does not use them', () => {
    const copied = [
      'lib/integration/attribution-metadata.ts',
      'lib/integration/stripe/checkout.ts',
      'lib/integration/stripe/portal.ts',
    ];
    const own = `import { startSubscription } from '@/lib/integration/stripe/checkout';\nstripe.checkout.sessions.create({ mode: 'subscription' })`;
    const files = Object.fromEntries(copied.map((file) => [file, readFileSync(file, 'utf8')]));
    expect(blockersOf({ ...GOOD, ...files })).toEqual([]);
    expect(blockersOf({ ...GOOD, ...files, 'app/api/checkout/route.ts': own })).toEqual([
      'Checkout: no svc_customer_key for the sessions created in app/api/checkout/route.ts.',
    ]);
  });

  test.each(['NEXT_PUBLIC_GOOGLE_MAPS_API_KEY', 'NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY'])('%s is public', (name) => {
    expect(blockersOf({ ...GOOD, 'app/map.tsx': `'use client';\nload(process.env.${name});` })).toEqual([]);
  });

  test('tests and packages are not looked at', () => {
    const bad = `'use client';\nprocess.env.SVC_API_KEY`;
    expect(blockersOf({ ...GOOD, 'node_modules/a/index.js': bad, 'app/pay.test.tsx': bad })).toEqual([]);
  });

  test('a folder that does not exist is named', () => {
    expect(() => examineSource('/no/such/folder')).toThrow('/no/such/folder is not a folder.');
  });
});
