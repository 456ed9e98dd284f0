import { hashSecret } from '@/lib/service/api-key';
import type { Caller } from '@/lib/service/http/caller';
import type { EndpointResult } from '@/lib/service/http/respond';
import { recordSale } from '@/lib/service/payments/record-sale';
import { recordClick } from '@/lib/service/track/record-click';
import { recordLead } from '@/lib/service/track/record-lead';
import { database } from '@/prisma/client';
import { deliverAt } from '../support/payment-events';
import type { StripeEvent } from '../support/stripe-events';
import type { Command, Summary } from './command';
import { RealRun } from './real-run';

const DAY = 86_400_000;

/** The service's own functions on the database, driven by the same commands as the reference model. */
export class DatabaseService {
  /** Years ago: a call lets the service forget who called before that. */
  private now = new Date('2021-01-01T00:00:00Z');

  private constructor(private readonly names: RealRun) {}

  static async create(): Promise<DatabaseService> {
    return new DatabaseService(await RealRun.create());
  }

  async run(command: Command): Promise<string> {
    switch (command.do) {
      case 'click': {
        const { programId } = this.names.program(command.program);
        const body = { affiliate_url: `https://shop.example/?aff=${command.partner}`, program_id: programId };
        const response = await recordClick({ ...noExtras, ...body }, this.browser());
        const clickId = response.ok ? (response.body as { click_id?: string }).click_id : undefined;
        if (!clickId) return 'inactive';
        this.names.clicks.push(clickId);
        return 'click';
      }
      case 'browser': {
        const body = {
          customer_key: this.names.customer(command.customer),
          click_id: this.names.clickId(command.click),
        };
        const { programId } = this.names.program(command.program);
        return leadOutcome(
          await recordLead(
            { ...body, program_id: programId, email: 'x@example.com', additional_data: undefined },
            this.browser(),
          ),
        );
      }
      case 'server': {
        const { programId } = this.names.program(command.program);
        const additional_data = { test_mode: command.test, program_id: programId };
        const body = {
          customer_key: this.names.customer(command.customer),
          click_id: this.names.clickId(command.click),
          additional_data,
        };
        return leadOutcome(
          await recordLead({ ...body, program_id: undefined, email: undefined }, this.server(command.program)),
        );
      }
      case 'sale': {
        const additional_data = { test_mode: command.test, program_id: undefined };
        const body = {
          customer_key: this.names.customer(command.customer),
          amount_cents: command.amount,
          transaction_id: this.names.invoice(command.invoice),
        };
        const rest = { currency: 'usd', subscription_id: undefined, is_recurring: undefined, additional_data };
        const response = await recordSale({ ...body, ...rest }, this.server(command.program));
        return response.ok ? 'sale' : refusal(response);
      }
      case 'payment': {
        const { outcome, reason } = await this.deliver(this.names.paymentEvent(command, this.now));
        return reason ? `${outcome} ${reason}` : outcome;
      }
      case 'refund': {
        const event = this.names.refundEvent(command);
        return event ? (await this.deliver(event)).outcome : 'refund';
      }
      case 'policy':
        await database().program.update({
          where: { id: this.names.program(command.program).programId },
          data: { leadAuthPolicy: command.policy },
        });
        return 'changed';
      case 'wait':
        this.now = new Date(this.now.getTime() + command.days * DAY);
        return 'waited';
      default:
        return command satisfies never;
    }
  }

  private async deliver(event: StripeEvent): Promise<{ outcome: string; reason?: string }> {
    const response = await deliverAt(this.now, event);
    if (!response.ok) throw new Error(response.code);
    return response.body as { outcome: string; reason?: string };
  }

  private browser = (): Caller => ({ credentials: { mode: 'browser' }, address: 'test', now: this.now });
  private server = (index: number): Caller => ({
    credentials: { mode: 'server', keyHash: hashSecret(this.names.program(index).apiKey) },
    address: 'test',
    now: this.now,
  });

  /** What stands in the tables, and in the totals that are kept beside them. */
  async summary(): Promise<Summary> {
    const ids = this.names.programs.map(({ programId }) => programId);
    const where = { programId: { in: ids } };
    const index = (programId: string) => ids.indexOf(programId);
    const world = (test: boolean) => (test ? 'test' : 'live');
    const number = (text: string | null) => (text === null ? null : text.split('_').at(-1));
    const include = { partner: { select: { code: true } } };
    const [leads, waiting, sales, unattributed, counts, amounts, lateCounts, lateAmounts] = await Promise.all([
      database().lead.findMany({ where, include }),
      database().provisionalLead.findMany({ where: { ...where, settledAt: null } }),
      database().sale.findMany({ where, include }),
      database().unattributedPayment.findMany({ where }),
      database().dailyCount.findMany({ where }),
      database().dailyAmount.findMany({ where }),
      database().lateCount.findMany({ where }),
      database().lateAmount.findMany({ where }),
    ]);
    const sum = (numbers: number[]) => numbers.reduce((total, n) => total + n, 0);
    return {
      leads: leads
        .map((lead) => {
          const click = lead.clickId === null ? null : this.names.clicks.indexOf(lead.clickId);
          return `${index(lead.programId)}/${world(lead.test)}/${number(lead.customerKey)} ${click} ${lead.partner?.code ?? null}`;
        })
        .sort(),
      waiting: waiting.map(({ clickId }) => this.names.clicks.indexOf(clickId)).sort((a, b) => a - b),
      sales: sales
        .map((sale) => {
          const key = `${index(sale.programId)}/${world(sale.test)}/${number(sale.transactionId)}`;
          return `${key} ${number(sale.customerKey)} ${sale.partner?.code ?? null} ${sale.amountCents} ${sale.refundedCents}`;
        })
        .sort(),
      unattributed: unattributed.map((p) => `${index(p.programId)}/${number(p.transactionId)} ${p.reason}`).sort(),
      totals: ids.map((programId) => {
        const days = counts.filter((day) => day.programId === programId);
        const late = lateCounts.filter((day) => day.programId === programId);
        const money = [...amounts, ...lateAmounts].filter((day) => day.programId === programId);
        return {
          clicks: sum(days.map(({ clicks }) => clicks)),
          leads: sum([...days, ...late].map(({ leads }) => leads)),
          waiting:
            sum(days.map(({ provisional }) => provisional)) -
            sum([...days, ...late].map(({ provisionalSettled }) => provisionalSettled)),
          sales: sum([...days, ...late].map(({ sales }) => sales)),
          salesCents: sum(money.map(({ salesCents }) => Number(salesCents))),
          refundedCents: sum(money.map(({ refundedCents }) => Number(refundedCents))),
        };
      }),
    };
  }
}

const noExtras = { existing_click_id: undefined, page_url: undefined, referrer_url: undefined };

function refusal(response: Extract<EndpointResult, { ok: false }>): string {
  return `${response.code === 'duplicate_transaction' ? 409 : 400} ${response.code}`;
}

function leadOutcome(response: EndpointResult): string {
  if (!response.ok) return refusal(response);
  return 'provisional' in response.body ? 'provisional' : 'settled';
}
