import { aProgram, type TestProgram } from '../support/program';
import { chargeRefunded, type StripeEvent, sessionCompleted } from '../support/stripe-events';
import { unique } from '../support/unique';
import { CHARGED, type ClickRef, type Command, nextRefund, type PaymentCommand, Payments } from './command';

const LIMITS = { serverRequestsPerMinute: 1_000_000, browserRequestsPerMinute: 1_000_000 };

type CommandOf<Name extends Command['do']> = Extract<Command, { do: Name }>;

/** What the numbers in commands stand for in one run against a real service: its programs, clicks, customers and invoices. */
export class RealRun {
  readonly clicks: string[] = [];
  private readonly refunded = new Map<number, number>();
  private readonly payments = new Payments<Date>();
  private readonly namespace = unique('run');

  private constructor(readonly programs: TestProgram[]) {}

  static async create(): Promise<RealRun> {
    return new RealRun([await aProgram(LIMITS), await aProgram({ ...LIMITS, leadAuthPolicy: 'browser_allowed' })]);
  }

  program(index: number): TestProgram {
    const program = this.programs[index];
    if (!program) throw new Error(`There is no program ${index}.`);
    return program;
  }

  customer = (index: number) => `customer_${index}`;
  invoice = (index: number) => `${this.namespace}_${index}`;
  clickId = (ref: ClickRef) =>
    ref === 'none' ? undefined : ref === 'unknown' ? 'clk_unknown' : (this.clicks[ref] ?? 'clk_none');

  /** The event by which Stripe reports the payment. */
  paymentEvent(command: PaymentCommand, now: Date): StripeEvent {
    const { program, customer, click, invoice, livemode, at } = this.payments.of(command, now);
    const clickId = this.clickId(click);
    const metadata = {
      program_id: this.program(program).programId,
      ...(clickId && { svc_click_id: clickId }),
      ...(customer !== null && { svc_customer_key: this.customer(customer) }),
    };
    const event = sessionCompleted({ metadata, paymentIntentId: this.invoice(invoice), amount: CHARGED });
    return { ...event, created: Math.floor(at.getTime() / 1000), livemode };
  }

  /** The event by which Stripe reports the refund, or `null` if nothing is left to give back. */
  refundEvent({ invoice, part }: CommandOf<'refund'>): StripeEvent | null {
    const before = this.refunded.get(invoice) ?? 0;
    const refunded = nextRefund(before, part);
    if (refunded === null) return null;
    this.refunded.set(invoice, refunded);
    const paymentIntentId = this.invoice(invoice);
    return chargeRefunded({ chargeId: `ch_${paymentIntentId}`, paymentIntentId, charged: CHARGED, refunded });
  }
}
