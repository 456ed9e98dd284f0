// npm run doctor: does it work, and if not, where. Each line is ok, a warning or a blocker, with the reason and the next action;
// it ends with 1 while there is a blocker. It stores only a test lead, a test sale and a click (below), and prints no secret.
//   --json               one JSON document
//   --partner CODE       also records a live click for this partner; on the demo program it always does, for ada
//   --app-url URL        only what can be asked of any app over HTTP, with --clerk-webhook PATH and --stripe-webhook PATH
//   --source DIR         only what can be seen in an app's source; together with --app-url, both
import './use-environment';
import { appEnv, EnvError } from '@/lib/integration/env';
import { examineClientBundle, examinePages, examineWebhook } from './doctor/app';
import { examineClerk } from './doctor/clerk';
import { examineBuild, examineCookie, examineDatabase, examineVariables } from './doctor/configuration';
import { ownWebhooks, readSecrets } from './doctor/own-app';
import { examinePaymentAccount } from './doctor/payment-account'; // part: service
import { exitStatus, explainError, type Finding, formatFindings } from './doctor/report';
import { examineService, readTarget } from './doctor/service';
import { examineSource } from './doctor/source';
import { examineStripe, explainStripe } from './doctor/stripe';
import { readOptions } from './options.mjs';
import { CommandError, runCommand } from './run-command';

type Check = {
  name: string;
  examine: () => Promise<Finding[]> | Finding[];
  explain?: (error: unknown) => Finding[];
};

/** Everything, in the order in which it has to work. */
function ownChecks(partner: string | undefined): Check[] {
  const withApp = (examine: (appUrl: string) => Promise<Finding[]> | Finding[]) => () => examine(appEnv().APP_URL);
  return [
    { name: 'Variables', examine: examineVariables },
    { name: 'Build', examine: examineBuild },
    { name: 'Cookie', examine: withApp(examineCookie) },
    { name: 'Database', examine: examineDatabase },
    { name: 'Clerk', examine: () => examineClerk(() => new Date()) },
    { name: 'Stripe', examine: examineStripe, explain: explainStripe },
    { name: 'App', examine: withApp(examinePages) },
    { name: 'Client bundle', examine: withApp((appUrl) => examineClientBundle(appUrl, readSecrets())) },
    {
      name: 'Webhooks',
      examine: withApp(async (appUrl) => {
        const routes = ownWebhooks(new Date());
        return (await Promise.all(routes.map((route) => examineWebhook(appUrl, route)))).flat();
      }),
    },
    { name: 'Tracking service', examine: () => examineService(readTarget(), partner) },
    { name: 'Payment account', examine: examinePaymentAccount }, // part: service
  ];
}

type Foreign = { appUrl: string | undefined; source: string | undefined; clerkPath: string; stripePath: string };

/** What can be asked of an app that is not this one. */
function foreignChecks({ appUrl, source, clerkPath, stripePath }: Foreign): Check[] {
  const overHttp = (url: string): Check[] => [
    { name: 'App', examine: () => examinePages(url) },
    { name: 'Cookie', examine: () => examineCookie(url) },
    { name: 'Client bundle', examine: () => examineClientBundle(url, {}) },
    { name: 'Clerk webhook', examine: () => examineWebhook(url, { path: clerkPath, name: 'Clerk', signed: null }) },
    { name: 'Stripe webhook', examine: () => examineWebhook(url, { path: stripePath, name: 'Stripe', signed: null }) },
  ];
  return [
    ...(appUrl === undefined ? [] : overHttp(appUrl)),
    ...(source === undefined ? [] : [{ name: 'Source', examine: () => examineSource(source) }]),
  ];
}

/** Where a variable is wrong, the line about the variables says so, and what needs it is left out. */
async function runCheck({
  name,
  examine,
  explain = (error) => [explainError(name, error)],
}: Check): Promise<Finding[]> {
  try {
    return await examine();
  } catch (error) {
    return error instanceof EnvError ? [] : explain(error);
  }
}

await runCommand(async () => {
  const text = { type: 'string' } as const;
  const values = readOptions({
    json: { type: 'boolean', default: false },
    partner: text,
    'app-url': text,
    source: text,
    'clerk-webhook': { ...text, default: '/api/webhooks/clerk' },
    'stripe-webhook': { ...text, default: '/api/webhooks/stripe' },
  });
  const { 'app-url': appUrl, source, 'clerk-webhook': clerkPath, 'stripe-webhook': stripePath } = values;
  if (appUrl !== undefined && !(/^https?:\/\/./.test(appUrl) && URL.canParse(appUrl))) {
    throw new CommandError(`--app-url has to be a URL such as https://app.example.com. It is ${appUrl}.`);
  }
  const isForeign = appUrl !== undefined || source !== undefined;
  const checks = isForeign ? foreignChecks({ appUrl, source, clerkPath, stripePath }) : ownChecks(values.partner);
  // All at once, since each waits for other servers; the report keeps their order.
  const findings = (await Promise.all(checks.map(runCheck))).flat();
  console.log(values.json ? JSON.stringify({ findings }, null, 2) : formatFindings(findings));
  process.exitCode = exitStatus(findings);
});
