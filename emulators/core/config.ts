// How an instance is configured: by the command line, the profile, or a test.
import type { Profile, Scenario } from './profile';
import type { Provider } from './signature';

/** With Node's five seconds, a busy client may send on a connection that is being closed: ECONNRESET, and its request is lost. */
export const KEEP_ALIVE_MS = 50_000;

export type StripeWebhook = {
  /** A path of the app, or a full URL. */
  target: string;
  /** The variable in which the app expects the signing secret. */
  variable: string;
  /** The events that it receives; `*` for all. */
  events: string[];
};

export type RecorderOptions = {
  /** The port that people open. */
  port: number;
  /** Where the app listens. */
  appPort: number;
  /** The paths of a service that runs in the app: a lane of its own, which can be taken down. */
  servicePath: string | null;
  /** The paths that a tracking blocker would block. */
  blockedPath: string | null;
};

/** The providers that are not emulated, and where calls to them are forwarded. */
export type Forwards = Partial<Record<Provider, string>>;

export type Config = {
  /** The app's origin, as people open it. */
  appUrl: string;
  /** The emulators' own origin. */
  url: string;
  /** Where the state is kept, or `memory://`. */
  directory: string;
  /** Where Clerk's events go: a path of the app, or a full URL; null for nowhere. */
  clerkWebhook: string | null;
  stripeWebhooks: StripeWebhook[];
  /** The app's own sign-in and sign-up pages; unset means the emulators' Account Portal. */
  signInUrl?: string | undefined;
  signUpUrl?: string | undefined;
  /** Claims of the session token besides Clerk's own, with shortcodes such as `{{user.public_metadata}}`. */
  sessionClaims?: Record<string, unknown> | undefined;
  /** What the pages call the seller. */
  appName: string;
  /** What the app says about itself. */
  profile?: Profile;
  /** Runs one of the profile's scenarios. */
  scenario?: Scenario;
  /** Secrets of webhooks that the emulators do not send, by their variable: those of a provider with real keys. */
  foreignSecrets?: Record<string, string>;
  /** The proxy in front of the app, if there is one. */
  recorder?: RecorderOptions | null;
  forwards?: Forwards;
};

/** Whether one of these providers is emulated. */
export const isEmulated = ({ forwards = {} }: Config, ...providers: Provider[]): boolean =>
  providers.some((provider) => forwards[provider] === undefined);

/** The URL of a configured target: a path of the app, or a full URL. */
export const resolveTarget = ({ appUrl }: Config, target: string): string => new URL(target, appUrl).href;
