// What an app tells the emulators about itself, so that the control room uses its terms: the names of the lanes, the
// IDs to follow, the places in its code, the tour and the scenarios. All of it is optional; nothing else here knows the app.
import { z } from 'zod';

export const LANES = ['browser', 'app', 'clerk', 'stripe', 'service'] as const;
export type Lane = (typeof LANES)[number];

const lane = z.enum(LANES);

/** A file of the project, and a place in it: a name or a line of text that it contains. */
const place = z.strictObject({ file: z.string(), find: z.string() });

/** Which messages to match. A path ends with `*` if anything may follow, or lists parameters that the request must have. */
const pattern = z.strictObject({
  from: lane.optional(),
  to: lane.optional(),
  method: z.string().optional(),
  path: z.string().optional(),
  /** null: there was no response. */
  status: z.int().nullable().optional(),
  /** Texts that the bodies contain; white space is ignored. */
  request: z.string().optional(),
  response: z.string().optional(),
});

const followed = z.strictObject({
  label: z.string(),
  /** Names of cookies, parameters and JSON fields that hold the ID. */
  fields: z.array(z.string()).min(1),
  /** A page of the app about one ID; `{id}` is the ID. */
  page: z.string().optional(),
});

const step = z.strictObject({
  title: z.string(),
  text: z.string(),
  /** The step is done once this visitor has caused one of these messages. */
  done: z.array(pattern).min(1),
  /** What there is to do: a page of the app, or an advance of this visitor's time by a month. */
  action: z.union([
    z.strictObject({ label: z.string(), href: z.string() }),
    z.strictObject({ label: z.string(), advance: z.literal('month') }),
  ]),
});

/** What is said if a visitor took another path, until one of `until` happens. */
const remark = z.strictObject({ when: z.array(pattern).min(1), until: z.array(pattern).default([]), text: z.string() });

export const profileSchema = z.strictObject({
  /** The project's folder. Without it no source is shown. */
  root: z.string().optional(),
  lanes: z
    .partialRecord(
      lane,
      z.strictObject({
        label: z.string().optional(),
        note: z.string().optional(),
        /** Paths of the app that belong to this lane, with everything below them. */
        paths: z.array(z.string().startsWith('/')).default([]),
      }),
    )
    .default({}),
  ids: z.array(followed).default([]),
  /** What a message is about, such as "Sale". The first one that matches is used. */
  subjects: z
    .array(
      pattern.extend({
        label: z.string(),
        /** What the bar on the app's pages says about it. Add a `status` if failed requests must not show it. */
        notice: z.string().optional(),
      }),
    )
    .default([]),
  /** The code that sends a message, or handles one that is not a route of a Next app. */
  sources: z.array(pattern.extend({ sentBy: place.optional(), handledBy: place.optional() })).default([]),
  tour: z.strictObject({ steps: z.array(step), remarks: z.array(remark).default([]) }).optional(),
  scenarios: z
    .array(
      z.strictObject({
        name: z.string().regex(/^[a-z-]+$/),
        title: z.string(),
        description: z.string(),
        /** The fault that it turns on, such as `mode=duplicated`. */
        fault: z.string().optional(),
        decidedBy: place,
        provenBy: place,
      }),
    )
    .default([]),
});

export type Profile = z.infer<typeof profileSchema>;
export type Place = z.infer<typeof place>;
export type Pattern = z.infer<typeof pattern>;
export type Tour = NonNullable<Profile['tour']>;
export type ShownScenario = Profile['scenarios'][number];

export const NO_PROFILE: Profile = profileSchema.parse({});

const LABELS: Record<Lane, string> = {
  browser: 'Browser',
  app: 'App',
  clerk: 'Clerk',
  stripe: 'Stripe',
  service: 'Service',
};

export const laneLabel = ({ lanes }: Profile, name: Lane): string => lanes[name]?.label ?? LABELS[name];

/** The lane that a path of the app belongs to. */
export function laneOfPath({ lanes }: Profile, pathname: string): Lane {
  const isIn = (path: string) => pathname === path || pathname.startsWith(`${path}/`);
  return LANES.find((name) => lanes[name]?.paths.some(isIn)) ?? 'app';
}

type Body = { body: string };
type Matched = {
  from: Lane;
  to: Lane;
  method: string;
  path: string;
  status: number | null;
  request: Body;
  response: Body;
};

/** Whether a message matches a pattern. */
export function isMatch(message: Matched, pattern: Pattern): boolean {
  const { from, to, method, path, status, request, response } = pattern;
  return (
    (from === undefined || from === message.from) &&
    (to === undefined || to === message.to) &&
    (method === undefined || method === message.method) &&
    (path === undefined || isPathMatch(message.path, path)) &&
    (status === undefined || status === message.status) &&
    (request === undefined || isPart(request, message.request.body)) &&
    (response === undefined || isPart(response, message.response.body))
  );
}

function isPathMatch(asked: string, pattern: string): boolean {
  const [[path = '', query], [wanted = '', parameters]] = [asked.split('?'), pattern.split('?')];
  const given = new URLSearchParams(query);
  return (
    (wanted.endsWith('*') ? path.startsWith(wanted.slice(0, -1)) : path === wanted) &&
    [...new URLSearchParams(parameters)].every(([name, value]) => given.get(name) === value)
  );
}

const isPart = (text: string, body: string): boolean => body.replaceAll(/\s/g, '').includes(text.replaceAll(/\s/g, ''));

/** What a scenario works with. */
export type ScenarioTools = {
  appUrl: string;
  emulatorsUrl: string;
  /** Says what is being done. */
  report: (step: string) => void;
  /** Says whose visitor it is, by email address, and which ID leads to the app's own page about them. */
  introduce: (visitor: { email: string; id?: string }) => void;
  /** An amount in minor units, as the emulators write it. */
  formatMoney: (amount: number, currency: string) => string;
};

/**
 * One stage of the visitor's journey: with the fault, and after it was turned off. `wrong`: recorded more than once, or for another
 * partner or payment.
 */
export type ScenarioRow = {
  stage: string;
  during: string;
  after: string;
  outcome: 'survived' | 'recovered' | 'lost' | 'wrong';
};

export type Scenario = (name: string, tools: ScenarioTools) => Promise<ScenarioRow[]>;
