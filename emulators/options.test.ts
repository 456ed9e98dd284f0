import { expect, test } from 'vitest';
import { isHelpAsked, readOptions, UsageError } from './options';

test('without options: the app on port 3000, the state in .emulators, webhooks where quickstarts put them', () => {
  expect(readOptions(['start'])).toEqual({
    config: {
      appUrl: 'http://localhost:3000',
      directory: '.emulators',
      clerkWebhook: '/api/webhooks/clerk',
      stripeWebhooks: [{ target: '/api/webhooks/stripe', variable: 'STRIPE_WEBHOOK_SECRET', events: ['*'] }],
      signInUrl: undefined,
      signUpUrl: undefined,
      appName: 'Your app',
    },
    port: null,
    envFile: null,
    importFile: null,
    exportFile: null,
    recorder: null,
    forwards: {},
    profileFile: null,
    command: [],
    isChild: false,
  });
});

test('each Stripe webhook has a variable, named or numbered, and its events; Clerk’s events may go nowhere', () => {
  const webhooks = ['/one', '/two', '/three=BILLING_SECRET=invoice.paid,charge.refunded'];
  expect(readOptions(['start', '--stripe-webhook', 'none']).config.stripeWebhooks).toEqual([]);
  const { config } = readOptions(['start', ...webhooks.flatMap((webhook) => ['--stripe-webhook', webhook])]);
  expect(config.stripeWebhooks).toEqual([
    { target: '/one', variable: 'STRIPE_WEBHOOK_SECRET', events: ['*'] },
    { target: '/two', variable: 'STRIPE_WEBHOOK_SECRET_2', events: ['*'] },
    { target: '/three', variable: 'BILLING_SECRET', events: ['invoice.paid', 'charge.refunded'] },
  ]);
  expect(readOptions(['start', '--clerk-webhook', 'none']).config.clerkWebhook).toBeNull();
});

test('a Stripe webhook keeps its query, and after it the variable and the events', () => {
  const target = 'http://localhost:3100/webhooks?from=stripe&kind=TEST';
  const read = (text: string) => readOptions(['start', '--stripe-webhook', text]).config.stripeWebhooks;
  expect(read(target)).toEqual([{ target, variable: 'STRIPE_WEBHOOK_SECRET', events: ['*'] }]);
  expect(read(`${target}=BILLING_2`)).toEqual([{ target, variable: 'BILLING_2', events: ['*'] }]);
  expect(read(`${target}=BILLING=invoice.paid`)).toEqual([{ target, variable: 'BILLING', events: ['invoice.paid'] }]);
  expect(read('/one==invoice.paid')).toMatchObject([{ target: '/one', events: ['invoice.paid'] }]);
});

test('pages of the app are paths or full URLs, and the recorder names both ports', () => {
  const pages = ['--sign-in', '/login', '--sign-up', 'https://accounts.example.com/join'];
  const recorder = ['--record', '3000=3100', '--service', '/api/v1/', '--block', '/api/v1/track/'];
  expect(readOptions(['start', ...pages, ...recorder])).toMatchObject({
    config: { signInUrl: '/login', signUpUrl: 'https://accounts.example.com/join' },
    recorder: { port: 3000, appPort: 3100, servicePath: '/api/v1/', blockedPath: '/api/v1/track/' },
  });
});

test('exec takes a command with options of its own', () => {
  expect(readOptions(['exec', '--port', '4001', '--', 'npx', 'playwright', 'test', '--headed'])).toMatchObject({
    port: 4001,
    command: ['npx', 'playwright', 'test', '--headed'],
  });
});

test.each([
  [[], 'emulators start --app'],
  [['begin'], 'emulators start --app'],
  [['exec'], 'Name a command after --'],
  [['start', '--app', 'localhost:3000'], '--app has to be the app'],
  [['start', '--stripe-webhook', '/one', '/two'], '"/two" belongs to no option'],
  [['start', '--port', '0'], '--port has to be a port'],
  [['start', '--stripe-webhook', '/one=SECRET=invoice.paid,invoice.payed'], 'There is no event "invoice.payed".'],
  [['start', '--stripe-webhook', '/one=secret'], '--stripe-webhook has to be PATH[=VARIABLE[=EVENT,…]]'],
  [['start', '--stripe-webhook', '/one=SECRET=invoice.*'], 'There is no event "invoice.*".'],
  [['start', '--record', '3000'], '--record has to be a port'],
  [['start', '--session-claims', 'metadata'], '--session-claims has to be a JSON object'],
  [['start', '--session-claims', '{"sub":"me"}'], 'Clerk itself sets the claim sub'],
  [['start', '--color', 'red'], "Unknown option '--color'"],
])('%j is refused with what to change', (args, message) => {
  expect(() => readOptions(args)).toThrow(UsageError);
  expect(() => readOptions(args)).toThrow(message);
});

test('help is asked for before the command of exec, not by it', () => {
  expect(isHelpAsked(['start', '--help'])).toBe(true);
  expect(isHelpAsked(['-h'])).toBe(true);
  expect(isHelpAsked(['exec', '--', 'npm', '--help'])).toBe(false);
});
