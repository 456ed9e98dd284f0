import { changeProgram } from '../support/program';
import { deliver, type ServiceResponse, serviceFor } from '../support/service-client';
import type { Summary, TimelessCommand } from './command';
import { RealRun } from './real-run';

type TrackingEvent = Record<string, string | number | boolean | undefined>;

const PAGE = '100'; // a history has 20 commands: all of its events are on one page

/** The running service as its callers see it, driven by the same commands as the reference model. */
export class HttpService {
  private constructor(private readonly names: RealRun) {}

  static async create(): Promise<HttpService> {
    return new HttpService(await RealRun.create());
  }

  async run(command: TimelessCommand): Promise<string> {
    switch (command.do) {
      case 'click': {
        const { body } = await this.service(command.program).click(command.partner);
        if (typeof body.click_id !== 'string') return 'inactive';
        this.names.clicks.push(body.click_id);
        return 'click';
      }
      case 'browser': {
        const lead = {
          customer_key: this.names.customer(command.customer),
          click_id: this.names.clickId(command.click),
        };
        return leadOutcome(await this.service(command.program).browserLead(lead));
      }
      case 'server': {
        const service = this.service(command.program);
        const lead = {
          customer_key: this.names.customer(command.customer),
          click_id: this.names.clickId(command.click),
        };
        return leadOutcome(await service.serverLead({ ...lead, ...(command.test && service.testMode) }));
      }
      case 'sale': {
        const response = await this.service(command.program).sale({
          customer_key: this.names.customer(command.customer),
          amount_cents: command.amount,
          transaction_id: this.names.invoice(command.invoice),
          additional_data: { test_mode: command.test },
        });
        return response.status === 200 ? 'sale' : refusal(response);
      }
      case 'payment':
        return outcome(await deliver(this.names.paymentEvent(command, new Date())));
      case 'refund': {
        const event = this.names.refundEvent(command);
        return event ? outcome(await deliver(event)) : 'refund';
      }
      case 'policy':
        await changeProgram(this.names.program(command.program), { leadAuthPolicy: command.policy });
        return 'changed';
      default:
        return command satisfies never;
    }
  }

  /** What the tracking events of both programs say. The totals of the dashboard are nothing that a caller sees. */
  async summary(): Promise<Omit<Summary, 'totals'>> {
    const feeds = await Promise.all(this.names.programs.map((_, index) => this.service(index).events({ limit: PAGE })));
    const events = feeds.flatMap((feed, program) => feed.map((event) => ({ program, event: event as TrackingEvent })));
    const of = (kind: string) => events.filter(({ event }) => event.kind === kind);
    const number = (text: unknown) => (typeof text === 'string' ? text.split('_').at(-1) : null);
    const world = ({ test }: TrackingEvent) => (test ? 'test' : 'live');
    const click = ({ click_id: clickId }: TrackingEvent) =>
      clickId ? this.names.clicks.indexOf(String(clickId)) : null;
    const leads = of('lead').filter(({ event }) => !event.provisional);
    const settled = new Set(leads.filter(({ event }) => !event.test).map(({ event }) => event.click_id));
    const refundedOf = (program: number, transaction: unknown) =>
      of('refund')
        .filter((refund) => refund.program === program && refund.event.transaction_id === transaction)
        .reduce((total, { event }) => total + Number(event.amount_cents ?? 0), 0); // none if its share rounds to nothing
    return {
      leads: leads
        .map(({ program, event }) => {
          const key = `${program}/${world(event)}/${number(event.customer_key)}`;
          return `${key} ${click(event)} ${event.partner_code ?? null}`;
        })
        .sort(),
      waiting: of('lead')
        .filter(({ event }) => event.provisional && !settled.has(event.click_id))
        .map(({ event }) => this.names.clicks.indexOf(String(event.click_id)))
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

  private service = (index: number) => serviceFor(this.names.program(index));
}

const refusal = ({ status, body }: ServiceResponse) => `${status} ${body.code}`;
const outcome = ({ body }: ServiceResponse) => (body.reason ? `${body.outcome} ${body.reason}` : String(body.outcome));

function leadOutcome(response: ServiceResponse): string {
  if (response.status !== 200) return refusal(response);
  return response.body.provisional ? 'provisional' : 'settled';
}
