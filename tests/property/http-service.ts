import { aProgram, changePolicy, type TestProgram, unique } from '../support/program.ts';
import { type ServiceAnswer, serviceFor } from '../support/service-client.ts';
import { chargeRefunded, deliver, type Metadata, sessionCompleted } from '../support/stripe-events.ts';
import { CHARGED, type ClickRef, type Command, nextRefund, type Summary, type TimelessCommand } from './command.ts';

type TrackingEvent = Record<string, string | number | boolean | undefined>;

const LIMITS = { serverRequestsPerMinute: 1_000_000, browserRequestsPerMinute: 1_000_000 };
const PAGE = '100'; // a history has 20 commands: all of its events are on one page

/** The running service as its callers see it, driven by the same commands as the reference model. */
export class HttpService {
  private readonly clicks: string[] = [];
  private readonly refunded = new Map<number, number>();
  private readonly namespace = unique('run');

  private constructor(private readonly programs: TestProgram[]) {}

  static async create(): Promise<HttpService> {
    return new HttpService([await aProgram(LIMITS), await aProgram({ ...LIMITS, leadAuthPolicy: 'browser_allowed' })]);
  }

  async run(command: TimelessCommand): Promise<string> {
    switch (command.do) {
      case 'click': {
        const { body } = await this.service(command.program).click(command.partner);
        if (typeof body.click_id !== 'string') return 'inactive';
        this.clicks.push(body.click_id);
        return 'click';
      }
      case 'browser': {
        const lead = { customer_key: this.customer(command.customer), click_id: this.clickId(command.click) };
        return leadOutcome(await this.service(command.program).browserLead(lead));
      }
      case 'server': {
        const service = this.service(command.program);
        const lead = { customer_key: this.customer(command.customer), click_id: this.clickId(command.click) };
        return leadOutcome(await service.serverLead({ ...lead, ...(command.test && service.testMode) }));
      }
      case 'sale': {
        const answer = await this.service(command.program).sale({
          customer_key: this.customer(command.customer),
          amount_cents: command.amount,
          transaction_id: this.invoice(command.invoice),
          additional_data: { test_mode: command.test },
        });
        return answer.status === 200 ? 'sale' : refusal(answer);
      }
      case 'payment':
        return this.payment(command);
      case 'refund': {
        const before = this.refunded.get(command.invoice) ?? 0;
        const refunded = nextRefund(before, command.part);
        if (refunded === null) return 'refund';
        this.refunded.set(command.invoice, refunded);
        const paymentIntentId = this.invoice(command.invoice);
        const charge = { chargeId: `ch_${paymentIntentId}`, paymentIntentId, charged: CHARGED, refunded, before };
        return outcome(await deliver(chargeRefunded(charge)));
      }
      case 'policy':
        await changePolicy(this.program(command.program), command.policy);
        return 'changed';
      default:
        return command satisfies never;
    }
  }

  private async payment({ program, customer, click, invoice, amount, livemode }: Extract<Command, { do: 'payment' }>) {
    const clickId = this.clickId(click);
    const metadata: Metadata = {
      program_id: this.program(program).programId,
      ...(clickId && { svc_click_id: clickId }),
      ...(customer !== null && { svc_customer_key: this.customer(customer) }),
    };
    const event = sessionCompleted({ metadata, paymentIntentId: this.invoice(invoice), amount });
    return outcome(await deliver({ ...event, livemode }));
  }

  /** What the tracking events of both programs say. The totals of the dashboard are nothing that a caller sees. */
  async summary(): Promise<Omit<Summary, 'totals'>> {
    const feeds = await Promise.all(this.programs.map((_, index) => this.service(index).events({ limit: PAGE })));
    const events = feeds.flatMap((feed, program) => feed.map((event) => ({ program, event: event as TrackingEvent })));
    const of = (kind: string) => events.filter(({ event }) => event.kind === kind);
    const number = (text: unknown) => (typeof text === 'string' ? text.split('_').at(-1) : null);
    const world = ({ test }: TrackingEvent) => (test ? 'test' : 'live');
    const click = ({ click_id: clickId }: TrackingEvent) => (clickId ? this.clicks.indexOf(String(clickId)) : null);
    const leads = of('lead').filter(({ event }) => !event.provisional);
    const settled = new Set(leads.filter(({ event }) => !event.test).map(({ event }) => event.click_id));
    const refundedOf = (program: number, transaction: unknown) =>
      of('refund')
        .filter((refund) => refund.program === program && refund.event.transaction_id === transaction)
        .reduce((total, { event }) => total + Number(event.amount_cents), 0);
    return {
      leads: leads
        .map(({ program, event }) => {
          const key = `${program}/${world(event)}/${number(event.customer_key)}`;
          return `${key} ${click(event)} ${event.partner_code ?? null}`;
        })
        .sort(),
      waiting: of('lead')
        .filter(({ event }) => event.provisional && !settled.has(event.click_id))
        .map(({ event }) => this.clicks.indexOf(String(event.click_id)))
        .sort((a, b) => a - b),
      sales: of('sale')
        .map(({ program, event }) => {
          const key = `${program}/${world(event)}/${number(event.transaction_id)}`;
          const refunded = event.test ? 0 : refundedOf(program, event.transaction_id);
          return `${key} ${number(event.customer_key)} ${event.partner_code ?? null} ${event.amount_cents} ${refunded}`;
        })
        .sort(),
      unattributed: of('not_attributed')
        .map(({ program, event }) => `${program}/${number(event.transaction_id)} ${event.reason}`)
        .sort(),
    };
  }

  private program(index: number): TestProgram {
    const program = this.programs[index];
    if (!program) throw new Error(`There is no program ${index}.`);
    return program;
  }

  private service = (index: number) => serviceFor(this.program(index));
  private customer = (index: number) => `customer_${index}`;
  private invoice = (index: number) => `${this.namespace}_${index}`;
  private clickId = (ref: ClickRef) =>
    ref === 'none' ? undefined : ref === 'unknown' ? 'clk_unknown' : (this.clicks[ref] ?? 'clk_none');
}

const refusal = ({ status, body }: ServiceAnswer) => `${status} ${body.code}`;
const outcome = ({ body }: ServiceAnswer) => (body.reason ? `${body.outcome} ${body.reason}` : String(body.outcome));

function leadOutcome(answer: ServiceAnswer): string {
  if (answer.status !== 200) return refusal(answer);
  return answer.body.provisional ? 'provisional' : 'settled';
}
