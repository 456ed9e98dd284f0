import 'server-only';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** The tests that prove what the control room's switches are survived. */
export const PROOFS = {
  'service-down': {
    file: 'e2e/control-room.spec.ts',
    title: 'the service is down: nobody who signs up is turned away, and the lead is settled once it is back',
  },
  'out-of-order': {
    file: 'lib/service/payments/receive-event.db.test.ts',
    title: 'in each of their 24 orders, each delivered twice, end in one and the same state',
  },
  doubled: { file: 'e2e/inbox.spec.ts', title: '50 parallel duplicates of a webhook are one lead' },
  late: { file: 'e2e/shop.spec.ts', title: 'browser first, webhook later: provisional, then settled' },
  'tracker-blocked': {
    file: 'e2e/control-room.spec.ts',
    title: 'the tracker is blocked: the shop works on, and nothing is attributed',
  },
  'metadata-left-out': {
    file: 'e2e/payments.spec.ts',
    title:
      'metadata that are missing on the subscription: the first payment is a sale, the renewal says why it is none',
  },
  'card-declined': {
    file: 'e2e/stripe-sandbox.spec.ts',
    title: 'a declined card says so, keeps what was typed, and the next card pays',
  },
  'renewal-failed': {
    file: 'e2e/payments.spec.ts',
    title: 'a renewal that fails is past due until a new card pays it, as one sale; cancelled now, the plan ends',
  },
  'bank-asks': {
    file: 'e2e/payment-methods.spec.ts',
    title: 'a card whose bank asks is paid once the customer has answered, and is one sale',
  },
  'bank-debit': {
    file: 'e2e/payment-methods.spec.ts',
    title: 'a bank debit is no sale and no plan before the bank has paid, and both after that',
  },
} as const satisfies Record<string, { file: string; title: string }>;

export type ProofName = keyof typeof PROOFS;

export const isProofName = (name: string): name is ProofName => Object.hasOwn(PROOFS, name);

export type Proof = {
  file: string;
  title: string;
  /** What runs it, and it alone. */
  command: string;
  /** Its own lines of the file; null where the file is not beside the app. */
  source: string | null;
};

export async function readProof(name: ProofName): Promise<Proof> {
  const { file, title } = PROOFS[name];
  // The app runs from its repository wherever the sandbox is on.
  const text = await readFile(path.join(/* turbopackIgnore: true */ process.cwd(), file), 'utf8').catch(() => null);
  return { file, title, command: commandFor(file, title), source: text === null ? null : cutTest(text, title) };
}

const commandFor = (file: string, title: string): string =>
  file.startsWith('e2e/')
    ? `npm run test:e2e -- -- ${file} -g "${title}"`
    : `npx vitest run --project unit --project database ${file} -t "${title}"`;

/** One test out of a file: from the line with its title to the line that closes it. */
export function cutTest(text: string, title: string): string | null {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => /^\s*(test|it)\(/.test(line) && line.includes(title));
  if (start < 0) return null;
  const indent = /^\s*/.exec(lines[start] ?? '')?.[0] ?? '';
  const length = lines.slice(start).indexOf(`${indent}});`);
  if (length < 0) return null;
  return lines
    .slice(start, start + length + 1)
    .map((line) => line.slice(indent.length))
    .join('\n');
}
