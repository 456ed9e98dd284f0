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

const IMPORT = /\bfrom\s+['"](?:(?:\.{1,2}|[@~])\/|#\/?)+([^'"]+?)(?:\.[jt]sx?)?['"]/g;

/** The file with the app's files that it imports, compared by the ends of their paths: aliases do not matter. */
function withImports(sources: Source[], { text }: Source): string {
  const paths = [...text.matchAll(IMPORT)].map(([, imported]) => `/${imported}`);
  const isImported = ({ file }: Source) => {
    const name = `/${file.replaceAll(path.sep, '/').replace(/(\/index)?\.\w+$/, '')}`;
    // The files copied from `lib/integration` write keys only for those who call their functions.
    return !name.includes('/lib/integration/') && paths.some((each) => name.endsWith(each));
  };
  return [text, ...sources.filter(isImported).map((imported) => imported.text)].join('\n');
}

/** What is between the brace at `start` and the one that closes it. */
function blockAt(text: string, start: number): string {
  let depth = 0;
  for (let index = start; index < text.length; index += 1) {
    if (text[index] === '{') depth += 1;
    else if (text[index] === '}') depth -= 1;
    if (depth === 0) return text.slice(start + 1, index);
  }
  return text.slice(start + 1);
}

/** Whether `subscription_data.metadata` is an object with the keys, or made elsewhere: what a name stands for is not followed. */
function writesRenewalKeys(text: string): boolean {
  return [...text.matchAll(/\bsubscription_data\b\s*(:\s*\{|[:,}])/g)].some((found) => {
    if (!found[0].endsWith('{')) return true;
    const data = blockAt(text, found.index + found[0].length - 1);
    const metadata = /\bmetadata\b\s*(:\s*\{)?/.exec(data);
    if (!metadata) return false;
    const isLiteral = metadata[0].endsWith('{');
    return !isLiteral || /svc_customer_key|\.\.\./.test(blockAt(data, metadata.index + metadata[0].length - 1));
  });
}

/** Contract §4: without the keys in both places the first payment is attributed, and every renewal is lost. */
const checkoutMetadata: Rule = (sources) => {
  // What takes its parameters from a caller is judged there: each file that calls it is one of these.
  const creating = sources.filter(
    ({ text }) =>
      /\b(createAttributedSession|checkout\.sessions\.create)\(/.test(text) &&
      !/function createAttributedSession\b/.test(text),
  );
  if (creating.length === 0) {
    const action = 'With path B, report each sale to the sale endpoint.';
    return [warning('Checkout', 'no file creates a Checkout session.', action)];
  }
  const lacks = (pattern: RegExp) => (source: Source) => !pattern.test(withImports(sources, source));
  const keyless = creating.filter(lacks(/svc_customer_key|\battributionMetadata\(/));
  if (keyless.length > 0) {
    const detail = `no svc_customer_key for the sessions created in ${listed(keyless)}.`;
    return [blocker('Checkout', detail, 'Put the three keys of §2 into metadata.')];
  }
  const incomplete = creating.filter(
    (each) => /['"`]subscription['"`]/.test(each.text) && !writesRenewalKeys(withImports(sources, each)),
  );
  if (incomplete.length > 0) {
    const detail = `no key in subscription_data.metadata for the sessions created in ${listed(incomplete)}: no renewal is attributed.`;
    return [blocker('Checkout', detail, 'Put the same three keys there as into metadata.')];
  }
  return [ok('Checkout', `the three keys are written for the sessions created in ${listed(creating)}`)];
};

const SIGN_UP_FORM = /<SignUp\b|useSignUp\(|signUp\.create\(/;

/** Contract §4, step 1 of the signup path: the webhook has no cookie. */
const signUpMetadata: Rule = (sources) => {
  const forms = sources.filter(({ text }) => SIGN_UP_FORM.test(text));
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

/** The opening tags of a Clerk component, with their attributes; none if the file does not import it from Clerk. */
function clerkTags(text: string, component: string): string[] {
  const imported = new RegExp(`\\bimport\\s*\\{[^}]*\\b${component}\\b[^}]*\\}\\s*from\\s*['"]@clerk/`);
  if (!imported.test(text)) return [];
  return [...text.matchAll(new RegExp(`<${component}\\b`, 'g'))].map(({ index }) => {
    const rest = text.slice(index);
    const code = rest.replace(/"[^"\n]*"|'[^'\n]*'/g, (quoted) => ' '.repeat(quoted.length)); // a text may hold any character
    let depth = 0;
    for (let end = 0; end < code.length; end += 1) {
      if (code[end] === '{') depth += 1;
      else if (code[end] === '}') depth -= 1;
      else if (code[end] === '>' && depth === 0) return rest.slice(0, end);
    }
    return rest;
  });
}

/**
 * Where else users are created, going by the props of Clerk 7: `SignInButton` has no `unsafeMetadata`, `SignUpButton` only as a
 * modal, and a redirect carries none.
 */
const signUpElsewhere: Rule = (sources) => {
  const find = (component: string, isWrong: (tag: string) => boolean, report: (files: string) => Finding) => {
    const found = sources.filter(({ text }) => clerkTags(text, component).some(isWrong));
    return found.length > 0 ? [report(listed(found))] : [];
  };
  const isModal = (tag: string) => /\bmode=\{?['"]modal/.test(tag);
  const lacksMetadata = (tag: string) => !/\bunsafeMetadata\b|\{\s*\.\.\./.test(tag);
  const createsUsers = (tag: string) => !/\btransferable=\{false\}/.test(tag);
  const hasForm = sources.some(({ text }) => SIGN_UP_FORM.test(text));
  return [
    ...find(
      'SignIn',
      (tag) => lacksMetadata(tag) && createsUsers(tag),
      (files) =>
        warning(
          'Sign-up',
          `no unsafeMetadata for <SignIn> in ${files}: "Continue with …" creates users there, too, without their click.`,
          'Pass it the same unsafeMetadata as <SignUp>.',
        ),
    ),
    ...find('SignInButton', isModal, (files) =>
      warning(
        'Sign-up',
        `<SignInButton mode="modal"> in ${files} takes no unsafeMetadata: "Continue with …" creates users without their click.`,
        'Remove mode="modal", so that it opens your sign-in page.',
      ),
    ),
    ...find(
      'SignUpButton',
      (tag) => isModal(tag) && lacksMetadata(tag),
      (files) =>
        blocker(
          'Sign-up',
          `no unsafeMetadata for <SignUpButton mode="modal"> in ${files}: the click is lost.`,
          'Pass svc_click_id to Clerk before the user exists.',
        ),
    ),
    ...find(
      'SignUpButton',
      (tag) => !isModal(tag) && !hasForm,
      (files) =>
        blocker(
          'Sign-up',
          `<SignUpButton> in ${files} leads to Clerk's Account Portal, which takes no metadata: the click is lost.`,
          'Make a sign-up page with <SignUp unsafeMetadata>, and set NEXT_PUBLIC_CLERK_SIGN_UP_URL to its path.',
        ),
    ),
  ];
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
  const published = sources.filter(({ text }) => /process\.env\.NEXT_PUBLIC_(\w*SECRET|SVC_\w*API_KEY)/.test(text));
  const found = [...using, ...published];
  return found.length > 0
    ? [
        blocker(
          'Secrets',
          `${listed(found)} exposes a secret to browsers.`,
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

const RULES: Rule[] = [
  checkoutMetadata,
  signUpMetadata,
  signUpElsewhere,
  webhookBodies,
  secretsInClientFiles,
  browserSignup,
];

/** Static checks of an app's source. @throws Obstacle if there is no such folder */
export function examineSource(directory: string): Finding[] {
  const sources = readSources(directory);
  return RULES.flatMap((rule) => rule(sources));
}
