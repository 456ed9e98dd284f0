// The command line, read and checked. Nothing is started here.
import { parseArgs } from 'node:util';
import { claimsProblem } from './clerk/session-claims';
import type { Config, Forwards, RecorderOptions } from './core/config';
import { IN_MEMORY } from './core/database';
import { readForward } from './recorder/forward';
import { isEnabledEvent } from './stripe/event-types';

export const USAGE = `Clerk and Stripe on your machine.

  emulators start --app http://localhost:3000 [options]    runs until it is stopped
  emulators exec --app http://localhost:3000 [options] -- COMMAND …
                                                 runs a command with the emulators' variables, then stops

  --app URL                 the app's address, as people open it
  --port N                  the emulators' own port; by default the next free one after the app's, or from 3001 on
  --data DIR                where the state is kept; .emulators by default, memory:// for none
  --env FILE                writes the variables that the app needs into this file; its other lines stay
  --clerk-webhook PATH      where Clerk's events go; /api/webhooks/clerk by default, "none" for nowhere
  --stripe-webhook PATH[=VARIABLE[=EVENT,…]]
                            where Stripe's events go, a path of the app or a URL, the variable for the signing secret,
                            and the events, all by default; may be repeated;
                            /api/webhooks/stripe=STRIPE_WEBHOOK_SECRET by default, "none" for nowhere
  --sign-in PATH, --sign-up PATH
                            the app's own pages; by default the emulators' Account Portal
  --session-claims JSON     claims of Clerk's session token, as in "Customize session token" of Clerk's dashboard, for
                            instance '{"metadata":"{{user.public_metadata}}"}'
  --name NAME               what Checkout calls the seller
  --import FILE             starts from a state that --export has written; the data folder must not exist yet
  --export FILE             writes the whole state when it stops
  --record PORT=APP_PORT    a recording proxy on PORT in front of the app, which listens on APP_PORT
  --service PATH            with --record: a service in the app that can be taken down, for instance /api/v1/
  --block PATH              with --record: what a tracking blocker would block, for instance /api/v1/track/
  --forward PROVIDER[=URL]  clerk or stripe, with your test keys: it is not emulated, and the calls that the app sends here
                            are forwarded to it and recorded; may be repeated
  --profile FILE            a module or JSON file that describes the app to the control room
`;

/** A mistake in the command line: shown without a stack. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export type Options = {
  config: Omit<Config, 'url' | 'recorder' | 'forwards'>;
  /** null: the next free port after the app's, or from 3001 on if the app's needs special rights. */
  port: number | null;
  envFile: string | null;
  importFile: string | null;
  exportFile: string | null;
  recorder: RecorderOptions | null;
  forwards: Forwards;
  /** What describes the app: its lanes, IDs, sources, tour and scenarios. */
  profileFile: string | null;
  /** The command of `exec`; empty for `start`. */
  command: string[];
  /** Ends with the process that forked it. */
  isChild: boolean;
};

/** Looks only before the command of `exec`, which may have such an option itself. */
export const isHelpAsked = (args: string[]): boolean =>
  args.slice(0, args.includes('--') ? args.indexOf('--') : undefined).some((arg) => arg === '--help' || arg === '-h');

/** @throws UsageError, saying what to change */
export function readOptions(args: string[]): Options {
  const [action, ...rest] = args;
  if (action !== 'start' && action !== 'exec') throw new UsageError(USAGE);
  const { values, positionals } = parse(rest);
  if (action === 'exec' && positionals.length === 0)
    throw new UsageError('Name a command after --, such as: -- npm test');
  if (action === 'start' && positionals.length > 0)
    throw new UsageError(`"${positionals.join(' ')}" belongs to no option. Repeat the option for each of its values.`);
  return {
    config: {
      appUrl: readOrigin(values.app),
      directory: values.data,
      clerkWebhook: values['clerk-webhook'] === 'none' ? null : values['clerk-webhook'],
      stripeWebhooks: values['stripe-webhook'].filter((text) => text !== 'none').map(readStripeWebhook),
      signInUrl: readPage(values['sign-in'], values.app),
      signUpUrl: readPage(values['sign-up'], values.app),
      sessionClaims: readClaims(values['session-claims']),
      appName: values.name,
    },
    port: values.port === undefined ? null : readPort(values.port, '--port'),
    envFile: values.env ?? null,
    importFile: values.import ?? null,
    exportFile: values.export ?? null,
    recorder: values.record ? readRecorder(values.record, values.service, values.block) : null,
    forwards: Object.assign({}, ...values.forward.map(readForwards)),
    profileFile: values.profile ?? null,
    command: action === 'exec' ? positionals : [],
    isChild: values['with-parent'],
  };
}

function parse(args: string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        app: { ...text, default: 'http://localhost:3000' },
        port: text,
        data: { ...text, default: '.emulators' },
        env: text,
        'clerk-webhook': { ...text, default: '/api/webhooks/clerk' },
        'stripe-webhook': { ...text, multiple: true, default: ['/api/webhooks/stripe'] },
        'sign-in': text,
        'sign-up': text,
        'session-claims': text,
        name: { ...text, default: 'Your app' },
        import: text,
        export: text,
        record: text,
        service: text,
        block: text,
        forward: { ...text, multiple: true, default: [] },
        profile: text,
        'with-parent': { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
  }
}

function readOrigin(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return new URL(text).origin;
  throw new UsageError(`--app has to be the app's address, such as http://localhost:3000. It is ${text}.`);
}

function readPort(text: string, option: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new UsageError(`${option} has to be a port, a number from 1 to 65535. It is ${text}.`);
}

function readPage(text: string | undefined, app: string): string | undefined {
  return text === undefined ? undefined : text.startsWith('/') ? text : new URL(text, app).href;
}

function readClaims(text: string | undefined): Config['sessionClaims'] {
  if (text === undefined) return undefined;
  try {
    const claims: unknown = JSON.parse(text);
    const problem = claimsProblem(claims);
    if (problem === null) return claims as Config['sessionClaims'];
    throw new UsageError(`--session-claims: ${problem}`);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`--session-claims has to be a JSON object. It is ${text}.`);
  }
}

/** A path or URL, in whose query each name may have a value; then the variable and the events. */
const STRIPE_WEBHOOK = /^([^=?]+(?:\?[^=&]*(?:=[^=&]*)?(?:&[^=&]*(?:=[^=&]*)?)*)?)(?:=([A-Z][A-Z0-9_]*)?(?:=(.+))?)?$/;

function readStripeWebhook(text: string, index: number) {
  const [, target, variable, events = '*'] = STRIPE_WEBHOOK.exec(text) ?? [];
  if (target === undefined) {
    throw new UsageError(
      `--stripe-webhook has to be PATH[=VARIABLE[=EVENT,…]], with a variable such as STRIPE_WEBHOOK_SECRET. It is ${text}.`,
    );
  }
  return {
    target,
    variable: variable ?? `STRIPE_WEBHOOK_SECRET${index === 0 ? '' : `_${index + 1}`}`,
    events: events.split(',').map(readStripeEvent),
  };
}

/** An endpoint with a misspelled event name would never receive one. */
function readStripeEvent(text: string): string {
  const name = text.trim();
  if (isEnabledEvent(name)) return name;
  throw new UsageError(
    `--stripe-webhook: the events have to be Stripe's, or "*" for all. There is no event "${name}".`,
  );
}

function readForwards(text: string): Forwards {
  const forwards = readForward(text);
  if (forwards) return forwards;
  throw new UsageError(
    `--forward has to be clerk or stripe, or one of them at an address of this machine. It is ${text}.`,
  );
}

function readRecorder(text: string, service: string | undefined, block: string | undefined): RecorderOptions {
  const [port = '', appPort = ''] = text.split('=');
  return {
    port: readPort(port, '--record'),
    appPort: readPort(appPort, '--record'),
    servicePath: service ?? null,
    blockedPath: block ?? null,
  };
}

/** The data folder for messages: its name, or that the state is in memory. */
export const describeDirectory = (directory: string): string =>
  directory === IN_MEMORY ? 'memory only: it is gone when this stops' : directory;
