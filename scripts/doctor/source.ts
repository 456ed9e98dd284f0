// The mistakes that can be seen in the source of an app, this one or another. Each names a file, or what is nowhere.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { blocker, type Finding, Obstacle, ok, warning } from './report';

type Source = { file: string; text: string };

const IGNORED = new Set([
  ...['node_modules', '.git', 'dist', 'build', 'out', 'coverage', 'generated', 'test-results'],
  ...['test', 'tests', '__tests__', 'e2e', 'testing', 'examples'],
  'emulators', // part: emulators
]);
const isIgnored = (name: string) => IGNORED.has(name) || /^\.(next|data)/.test(name);

const LIMIT_BYTES = 500_000;

/** The TypeScript and JavaScript of a folder, without tests. */
function readSources(directory: string): Source[] {
  if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) {
    throw new Obstacle(`${directory} is not a folder.`, 'Name the root of the app: --source ../your-app');
  }
  const visit = (folder: string): string[] =>
    readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const place = path.join(folder, entry.name);
      if (entry.isDirectory()) return isIgnored(entry.name) ? [] : visit(place);
      return /\.(tsx?|jsx?|mjs)$/.test(entry.name) && !/\.(test|spec)\./.test(entry.name) ? [place] : [];
    });
  return visit(directory)
    .filter((file) => statSync(file).size < LIMIT_BYTES)
    .map((file) => ({ file: path.relative(directory, file), text: readFileSync(file, 'utf8') }));
}

type Rule = (sources: Source[]) => Finding[];

const listed = (sources: Source[]) => sources.map(({ file }) => file).join(', ');

/** Contract §4: without the keys in both places the first payment is attributed, and every renewal is lost. */
const checkoutMetadata: Rule = (sources) => {
  const creating = sources.filter(({ text }) => /checkout\.sessions\.create\(/.test(text));
  if (creating.length === 0) {
    const action = 'With path B, report each sale to the sale endpoint.';
    return [warning('Checkout', 'no file creates a Checkout session.', action)];
  }
  if (!sources.some(({ text }) => text.includes('svc_customer_key'))) {
    const detail = `no file writes svc_customer_key; sessions are created in ${listed(creating)}.`;
    return [blocker('Checkout', detail, 'Put the three keys of §2 into metadata.')];
  }
  const isSubscribing = sources.some(({ text }) => /mode: *['"`]subscription['"`]/.test(text));
  const isComplete = sources.some(({ text }) => /subscription_data: *\{[^}]*\bmetadata\b/s.test(text));
  if (isSubscribing && !isComplete) {
    const detail = 'no file writes subscription_data.metadata: renewals are not attributed.';
    return [blocker('Checkout', detail, `Put the same three keys there as into metadata: ${listed(creating)}.`)];
  }
  return [ok('Checkout', `the three keys are written, and ${listed(creating)} creates the session`)];
};

/** Contract §4, step 1 of the signup path: the webhook has no cookie. */
const signUpMetadata: Rule = (sources) => {
  const forms = sources.filter(({ text }) => /<SignUp\b|useSignUp\(|signUp\.create\(/.test(text));
  const lacking = forms.filter(
    ({ file, text }) => !/unsafeMetadata/.test(text) && !/unsafeMetadata/.test(textBeside(sources, file)),
  );
  if (forms.length === 0) return [];
  return lacking.length > 0
    ? [
        blocker(
          'Sign-up',
          `no unsafeMetadata in ${listed(lacking)}: the click is lost.`,
          'Pass svc_click_id to Clerk before the user exists.',
        ),
      ]
    : [ok('Sign-up', `unsafeMetadata is set in ${listed(forms)}`)];
};

const textBeside = (sources: Source[], file: string) =>
  sources
    .filter((other) => path.dirname(other.file) === path.dirname(file))
    .map(({ text }) => text)
    .join('\n');

/** Signatures cover the bytes as they were sent. */
const webhookBodies: Rule = (sources) => {
  const parsed = sources.filter(
    ({ file, text }) => /webhook/i.test(file) && /(req|request)\.json\(\)/.test(text) && !/\.text\(\)/.test(text),
  );
  return parsed.length > 0
    ? [
        blocker(
          'Webhook bodies',
          `${listed(parsed)} parses the body before its signature is verified.`,
          'Read request.text(), verify it, and parse the same string.',
        ),
      ]
    : [ok('Webhook bodies', 'none is parsed before it is verified')];
};

/** Contract §5: the program API key is held only on the server. */
const secretsInClientFiles: Rule = (sources) => {
  const client = sources.filter(({ text }) => /^\s*['"]use client['"]/m.test(text));
  const secrets =
    /process\.env\.(SVC_API_KEY|CLERK_SECRET_KEY|STRIPE_SECRET_KEY|STRIPE_WEBHOOK_SECRET|CLERK_WEBHOOK_SIGNING_SECRET)\b/;
  const using = client.filter(({ text }) => secrets.test(text));
  const published = sources.filter(({ text }) => /process\.env\.NEXT_PUBLIC_\w*(SECRET|API_KEY)/.test(text));
  const found = [...using, ...published];
  return found.length > 0
    ? [
        blocker(
          'Secrets',
          `${listed(found)} brings a secret to the browser.`,
          'Use it in server code only, and without NEXT_PUBLIC_.',
        ),
      ]
    : [ok('Secrets', 'no client component uses one')];
};

/** Contract §4, step 5: a repeat records nothing new, and with `browser_allowed` it is a 400 each. */
const browserSignup: Rule = (sources) => {
  const calling = sources.filter(({ text }) => /\btracker\??\.signup\(/.test(text));
  const unguarded = calling.filter(({ text }) => !/sessionStorage|localStorage|useRef|cookie|once/i.test(text));
  return unguarded.map(({ file }) =>
    warning(
      'Browser signup',
      `${file} calls signup() without a guard.`,
      'Call it once per user, on the page after registration only.',
    ),
  );
};

const RULES: Rule[] = [checkoutMetadata, signUpMetadata, webhookBodies, secretsInClientFiles, browserSignup];

/** Static checks of an app's source. @throws Obstacle where there is no such folder */
export function examineSource(directory: string): Finding[] {
  const sources = readSources(directory);
  return RULES.flatMap((rule) => rule(sources));
}
