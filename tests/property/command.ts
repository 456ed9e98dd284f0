import fc from 'fast-check';

// What can happen to two programs, as data: two programs, so that a click of one can be sent to the other.

export const PARTNERS = ['ada', 'grace', 'linus'] as const; // linus is inactive
export type Partner = (typeof PARTNERS)[number];

/** A click that was made before, by its place in the history; `unknown` is a click ID that was never issued. */
export type ClickRef = number | 'none' | 'unknown';

export type Command =
  | { do: 'click'; program: number; partner: Partner }
  | { do: 'browser'; program: number; customer: number; click: ClickRef }
  | { do: 'server'; program: number; customer: number; click: ClickRef; test: boolean }
  | { do: 'sale'; program: number; customer: number; invoice: number; amount: number; test: boolean }
  /** An invoice is paid once: a second payment of it is the first one's event, delivered again. */
  | {
      do: 'payment';
      program: number;
      customer: number | null;
      click: ClickRef;
      invoice: number;
      livemode: boolean;
    }
  /** Raises what is refunded of an invoice's charge by a part of it. */
  | { do: 'refund'; invoice: number; part: number }
  | { do: 'policy'; program: number; policy: 'server_verified' | 'browser_allowed' }
  | { do: 'wait'; days: number };

type ClickCommand = Extract<Command, { do: 'click' }>;
export type TimelessCommand = Exclude<Command, { do: 'wait' }>;

/** How many of each there are. Few, so that histories meet themselves: repeats, conflicts, strangers. */
type World = { customers: number; invoices: number };

/** Single commands. Where one names a click by a number, the number is a choice, which `placeClicks` makes. */
function commandsIn({ customers, invoices }: World): fc.Arbitrary<Command> {
  const program = fc.nat({ max: 1 });
  const customer = fc.nat({ max: customers - 1 });
  const invoice = fc.nat({ max: invoices - 1 });
  const amount = fc.integer({ min: 1, max: 5_000 });
  const test = fc.integer({ min: 0, max: 3 }).map((n) => n === 0);
  const click: fc.Arbitrary<ClickRef> = fc.oneof(
    { weight: 12, arbitrary: fc.nat({ max: 99 }) },
    { weight: 2, arbitrary: fc.constant('none' as const) },
    { weight: 1, arbitrary: fc.constant('unknown' as const) },
  );
  return fc.oneof(
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant('click' as const), program, partner: fc.constantFrom(...PARTNERS) }),
    },
    { weight: 8, arbitrary: fc.record({ do: fc.constant('browser' as const), program, customer, click }) },
    { weight: 5, arbitrary: fc.record({ do: fc.constant('server' as const), program, customer, click, test }) },
    { weight: 5, arbitrary: fc.record({ do: fc.constant('sale' as const), program, customer, invoice, amount, test }) },
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant('payment' as const),
        program,
        customer: fc.option(customer, { freq: 6 }),
        click,
        invoice,
        livemode: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ do: fc.constant('refund' as const), invoice, part: fc.integer({ min: 1, max: 4 }) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant('policy' as const),
        program,
        policy: fc.constantFrom('server_verified' as const, 'browser_allowed' as const),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 70 }) }) },
  );
}

/** Replaces each choice with the place of a click that was made by then: of the call's own program, or one in ten of any. */
function placeClicks<C extends Command>(drawn: C[]): C[] {
  const programs: number[] = []; // of each click
  return drawn.map((command) => {
    if (command.do === 'click' && command.partner !== 'linus') programs.push(command.program);
    if (!('click' in command) || typeof command.click !== 'number') return command;
    const { program, click: drawn } = command;
    const choices = [...programs.keys()].filter((click) => drawn % 10 === 0 || programs[click] === program);
    return { ...command, click: choices[Math.floor(drawn / 10) % choices.length] ?? 'unknown' };
  });
}

/** They begin with a click of each program, so that something happens in few commands. */
const historyOf = <C extends Command>(commands: fc.Arbitrary<C>, length: { minLength: number; maxLength: number }) =>
  fc
    .array(commands, { ...length, size: 'max' })
    .map((rest) =>
      placeClicks<C | ClickCommand>([
        { do: 'click', program: 0, partner: 'ada' },
        { do: 'click', program: 1, partner: 'grace' },
        ...rest,
      ]),
    );

export const histories = historyOf(commandsIn({ customers: 3, invoices: 4 }), { minLength: 25, maxLength: 40 });

/**
 * Twenty commands of a smaller world, none of which takes time: for a service that responds over HTTP, and whose clock is
 * not adjustable.
 */
export const timelessHistories: fc.Arbitrary<TimelessCommand[]> = historyOf(
  commandsIn({ customers: 2, invoices: 2 }).filter((one): one is TimelessCommand => one.do !== 'wait'),
  { minLength: 18, maxLength: 18 },
);

/** What is paid on path A, in cents: always the same, so that a refund can come before its payment. */
export const CHARGED = 4_000;
const STEP = CHARGED / 8;

export type PaymentCommand = Extract<Command, { do: 'payment' }>;

/** The payments of a history by invoice: a second one is the first once more, of its time. */
export class Payments<Time> {
  private readonly first = new Map<number, PaymentCommand & { at: Time }>();

  of(command: PaymentCommand, now: Time): PaymentCommand & { at: Time } {
    const payment = this.first.get(command.invoice) ?? { ...command, at: now };
    this.first.set(command.invoice, payment);
    return payment;
  }
}

/** The next state of a charge after a refund, or null if all of it is refunded. */
export function nextRefund(before: number, part: number): number | null {
  return before >= CHARGED ? null : Math.min(CHARGED, before + part * STEP);
}

/** Everything that counts, in an order of its own, so that two implementations can be compared. */
export type Summary = {
  /** `program/world/customer click partner` */
  leads: string[];
  /** Clicks whose provisional lead waits. */
  waiting: number[];
  /** `program/world/invoice customer partner amount refunded` */
  sales: string[];
  /** `program/invoice reason` */
  unattributed: string[];
  /** Of each program, without the test world. */
  totals: Array<{
    clicks: number;
    leads: number;
    waiting: number;
    sales: number;
    salesCents: number;
    refundedCents: number;
  }>;
};
