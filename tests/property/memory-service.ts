import { decideLead, type LeadFacts } from '@/lib/service/domain/lead';
import type { LeadAuthPolicy } from '@/lib/service/domain/program';
import { decidePaymentAccount, decidePaymentAttribution } from '@/lib/service/payments/attribution';
import { decideReturns, type PaymentFact } from '@/lib/service/payments/payment';
import { CHARGED, type ClickRef, type Command, nextRefund, type PaymentCommand, Payments } from './command';

// The service's pure decisions on a store of plain maps: what `histories.test.ts` holds against the reference model. What the service
// decides in SQL, as whether a sale's customer is known, is written again here: only histories on the database prove that.

const DAY = 86_400_000;
const WINDOW_DAYS = 60;

type Click = { program: number; partner: string; createdAt: Date };
type Lead = { click: number | null; partner: string | null };
type Sale = { program: number; customer: number | null; partner: string | null; amount: number; refunded: number };

export class MemoryService {
  private now = new Date('2026-01-01T00:00:00Z');
  private readonly policies: LeadAuthPolicy[] = ['server_verified', 'browser_allowed'];
  private readonly clicks: Click[] = [];
  private readonly provisional = new Map<number, 'waiting' | 'settled'>();
  private readonly leads = new Map<string, Lead>();
  private readonly sales = new Map<string, Sale>();
  private readonly unattributed = new Map<string, string>();
  private readonly refunds = new Map<number, Array<Extract<PaymentFact, { kind: 'charge_refunded' }>>>();
  private readonly payments = new Payments<Date>();

  run(command: Command): string {
    switch (command.do) {
      case 'click': {
        const { program, partner } = command;
        if (partner === 'linus') return 'inactive';
        this.clicks.push({ program, partner, createdAt: this.now });
        return 'click';
      }
      case 'browser':
        return this.lead('browser', command.program, command.customer, command.click, false);
      case 'server':
        return this.lead('server', command.program, command.customer, command.click, command.test);
      case 'sale': {
        const { program, customer, invoice, amount, test } = command;
        const lead = this.leads.get(`${program}/${test ? 'test' : 'live'}/${customer}`);
        if (!lead) return '400 unknown_customer';
        const key = `${program}/${test ? 'test' : 'live'}/${invoice}`;
        if (this.sales.has(key)) return '409 duplicate_transaction';
        this.addSale(key, invoice, { program, customer, partner: lead.partner, amount, refunded: 0 });
        return 'sale';
      }
      case 'payment':
        return this.payment(command);
      case 'refund': {
        const known = this.refunds.get(command.invoice) ?? [];
        const before = known.at(-1)?.refundedCents ?? 0;
        const next = nextRefund(before, command.part);
        if (next === null) return 'refund';
        this.refunds.set(command.invoice, [...known, this.refund(command.invoice, next, known.length)]);
        for (const program of [0, 1]) {
          const sale = this.sales.get(`${program}/live/${command.invoice}`);
          if (sale) this.applyRefunds(sale, command.invoice);
        }
        return 'refund';
      }
      case 'policy':
        this.policies[command.program] = command.policy;
        return 'changed';
      case 'wait':
        this.now = new Date(this.now.getTime() + command.days * DAY);
        return 'waited';
      default:
        return command satisfies never;
    }
  }

  private facts(
    caller: LeadFacts['caller'],
    program: number,
    customer: number | null,
    ref: ClickRef,
    test: boolean,
    at = this.now,
  ): LeadFacts {
    const click = typeof ref === 'number' ? this.clicks[ref] : undefined;
    const own = click?.program === program ? click : undefined;
    const isValid = own !== undefined && at.getTime() - own.createdAt.getTime() < WINDOW_DAYS * DAY;
    return {
      caller,
      policy: this.policies[program] ?? 'server_verified',
      click: isValid ? 'valid' : ref === 'none' ? 'none' : 'unknown',
      provisional: (own && typeof ref === 'number' && this.provisional.get(ref)) || 'none',
      isCustomerKnown: this.leads.has(`${program}/${test ? 'test' : 'live'}/${customer}`),
      test,
    };
  }

  private lead(caller: 'browser' | 'server', program: number, customer: number, ref: ClickRef, test: boolean): string {
    const facts = this.facts(caller, program, customer, ref, test);
    const decision = decideLead(facts);
    switch (decision.outcome) {
      case 'reject':
        return `400 ${decision.code}`;
      case 'unchanged':
        return 'settled';
      case 'provisional':
        if (decision.record && typeof ref === 'number') this.provisional.set(ref, 'waiting');
        return 'provisional';
      case 'settle':
        this.settle(`${program}/${test ? 'test' : 'live'}/${customer}`, facts.click === 'valid' ? ref : 'none', test);
        return 'settled';
      default:
        return decision satisfies never;
    }
  }

  private settle(key: string, ref: ClickRef, test: boolean) {
    const click = typeof ref === 'number' ? ref : null;
    this.leads.set(key, { click, partner: click === null ? null : (this.clicks[click]?.partner ?? null) });
    if (click !== null && !test) this.provisional.set(click, 'settled');
  }

  private refund(invoice: number, refundedCents: number, index: number) {
    return {
      kind: 'charge_refunded' as const,
      id: String(index),
      rank: 1 as const,
      paymentIntentId: String(invoice),
      invoiceId: null,
      occurredAt: this.now,
      chargeId: String(invoice),
      chargedCents: CHARGED,
      refundedCents,
    };
  }

  private applyRefunds(sale: Sale, invoice: number) {
    sale.refunded = decideReturns(sale.amount, 0, this.refunds.get(invoice) ?? []).refundedCents;
  }

  private payment(command: PaymentCommand): string {
    const { program, customer, click: ref, invoice, livemode, at } = this.payments.of(command, this.now);
    const key = `${program}/live/${invoice}`;
    const keep = (reason: string) => {
      if (!this.sales.has(key) && !this.unattributed.has(`${program}/${invoice}`))
        this.unattributed.set(`${program}/${invoice}`, reason);
      return `not_attributed ${reason}`;
    };
    const refused = decidePaymentAccount({
      program: { paymentAccountId: 'acct_1', paymentMode: 'test' },
      event: { accountId: null, livemode },
    });
    if (refused) return keep(refused);
    const facts = this.facts('payment', program, customer, ref, false, at);
    const metadata = {
      clickId: ref === 'none' ? null : String(ref),
      customerKey: customer === null ? null : String(customer),
    };
    const attribution = decidePaymentAttribution(metadata, facts);
    if (!attribution.attributed) return keep(attribution.reason);
    const leadKey = `${program}/live/${customer}`;
    if (attribution.by === 'click' && attribution.settlesLeadOf) this.settle(leadKey, ref, false);
    const byClick = typeof ref === 'number' ? this.clicks[ref]?.partner : undefined;
    const partner = (attribution.by === 'customer' ? this.leads.get(leadKey)?.partner : byClick) ?? null;
    if (this.sales.has(key)) return 'known_sale';
    this.addSale(key, invoice, { program, customer, partner, amount: CHARGED, refunded: 0 });
    return 'sale';
  }

  private addSale(key: string, invoice: number, sale: Sale) {
    this.sales.set(key, sale);
    if (!key.includes('/live/')) return;
    this.unattributed.delete(`${sale.program}/${invoice}`);
    this.applyRefunds(sale, invoice);
  }

  summary() {
    return {
      leads: [...this.leads].map(([key, { click, partner }]) => `${key} ${click} ${partner}`).sort(),
      waiting: [...this.provisional]
        .flatMap(([click, state]) => (state === 'waiting' ? [click] : []))
        .sort((a, b) => a - b),
      sales: [...this.sales].map(([key, s]) => `${key} ${s.customer} ${s.partner} ${s.amount} ${s.refunded}`).sort(),
      unattributed: [...this.unattributed].map(([key, reason]) => `${key} ${reason}`).sort(),
    };
  }
}
