import {
  CHARGED,
  type ClickRef,
  type Command,
  nextRefund,
  type PaymentCommand,
  Payments,
  type Summary,
} from './command';

// §3 and our decisions once more, as plainly as possible and sharing no code with the service: what the service does in
// any history has to be what this says.

type World = 'live' | 'test';
type Lead = { click: number | null; partner: string | null };
type Sale = {
  program: number;
  world: World;
  customer: number | null;
  partner: string | null;
  amount: number;
  refunded: number;
};

const WINDOW_DAYS = 60;

export class ReferenceModel {
  private day = 0;
  private readonly policies = ['server_verified', 'browser_allowed'];
  private readonly clicks: Array<{
    program: number;
    partner: string;
    day: number;
    lead: 'none' | 'provisional' | 'settled';
  }> = [];
  private readonly leads = new Map<string, Lead>();
  private readonly sales = new Map<string, Sale>();
  private readonly unattributed = new Map<string, string>();
  private readonly refunded = new Map<number, number>();
  private readonly payments = new Payments<number>();

  run(command: Command): string {
    switch (command.do) {
      case 'click':
        if (command.partner === 'linus') return 'inactive';
        this.clicks.push({ program: command.program, partner: command.partner, day: this.day, lead: 'none' });
        return 'click';
      case 'browser':
        return this.browserSignup(command.program, command.customer, command.click);
      case 'server':
        return this.serverLead(command.program, command.test ? 'test' : 'live', command.customer, command.click);
      case 'sale':
        return this.sale(command);
      case 'payment':
        return this.payment(command);
      case 'refund':
        return this.refund(command.invoice, command.part);
      case 'policy':
        this.policies[command.program] = command.policy;
        return 'changed';
      case 'wait':
        this.day += command.days;
        return 'waited';
      default:
        return command satisfies never;
    }
  }

  /** The click of this program that a reference means, if there is one; old ones included. */
  private find(program: number, ref: ClickRef, day = this.day) {
    if (typeof ref !== 'number') return null;
    const click = this.clicks[ref];
    return click && click.program === program ? { index: ref, click, isValid: day - click.day < WINDOW_DAYS } : null;
  }

  private static refusal = (ref: ClickRef) => (ref === 'none' ? '400 not_referred' : '400 unknown_click');

  private settle(
    program: number,
    world: World,
    customer: number,
    ref: { index: number; click: { partner: string } } | null,
  ) {
    this.leads.set(`${program}/${world}/${customer}`, {
      click: ref?.index ?? null,
      partner: ref?.click.partner ?? null,
    });
    const click = ref && this.clicks[ref.index];
    if (click && world === 'live') click.lead = 'settled';
  }

  private browserSignup(program: number, customer: number, ref: ClickRef): string {
    const found = this.find(program, ref);
    if (this.policies[program] === 'server_verified') {
      if (found && found.click.lead !== 'none') return 'provisional';
      if (!found?.isValid) return ReferenceModel.refusal(ref);
      found.click.lead = 'provisional';
      return 'provisional';
    }
    if (this.leads.has(`${program}/live/${customer}`)) return '400 lead_already_settled';
    if (!found?.isValid) return ReferenceModel.refusal(ref);
    this.settle(program, 'live', customer, found);
    return 'settled';
  }

  private serverLead(program: number, world: World, customer: number, ref: ClickRef): string {
    if (this.leads.has(`${program}/${world}/${customer}`)) return 'settled';
    const found = this.find(program, ref);
    if (world === 'live' && !found?.isValid) return ReferenceModel.refusal(ref);
    this.settle(program, world, customer, found?.isValid ? found : null);
    return 'settled';
  }

  private sale({ program, customer, invoice, amount, test }: Extract<Command, { do: 'sale' }>): string {
    const world = test ? 'test' : 'live';
    const lead = this.leads.get(`${program}/${world}/${customer}`);
    if (!lead) return '400 unknown_customer';
    if (this.sales.has(`${program}/${world}/${invoice}`)) return '409 duplicate_transaction';
    this.addSale(invoice, { program, world, customer, partner: lead.partner, amount, refunded: 0 });
    return 'sale';
  }

  private payment(command: PaymentCommand): string {
    const { program, customer, click: ref, invoice, livemode, at } = this.payments.of(command, this.day);
    const keep = (reason: string) => {
      const key = `${program}/${invoice}`;
      if (!this.sales.has(`${program}/live/${invoice}`) && !this.unattributed.has(key))
        this.unattributed.set(key, reason);
      return `not_attributed ${reason}`;
    };
    if (livemode) return keep('mode_mismatch');
    if (ref === 'none' && customer === null) return keep('no_attribution');
    const found = this.find(program, ref, at);
    const lead = customer === null ? undefined : this.leads.get(`${program}/live/${customer}`);
    let partner = lead?.partner ?? null;
    if (!lead) {
      const isReferred = found?.isValid || (customer !== null && found?.click.lead === 'provisional');
      if (!found || !isReferred) return keep(ref === 'none' ? 'unknown_customer' : 'unknown_click');
      partner = found.click.partner;
      if (customer !== null) this.settle(program, 'live', customer, found);
    }
    if (this.sales.has(`${program}/live/${invoice}`)) return 'known_sale';
    this.addSale(invoice, { program, world: 'live', customer, partner, amount: CHARGED, refunded: 0 });
    return 'sale';
  }

  private addSale(invoice: number, sale: Sale) {
    this.sales.set(`${sale.program}/${sale.world}/${invoice}`, sale);
    if (sale.world === 'live') this.unattributed.delete(`${sale.program}/${invoice}`);
    this.applyRefund(invoice);
  }

  private refund(invoice: number, part: number): string {
    const next = nextRefund(this.refunded.get(invoice) ?? 0, part);
    if (next !== null) this.refunded.set(invoice, next);
    this.applyRefund(invoice);
    return 'refund';
  }

  private applyRefund(invoice: number) {
    for (const program of [0, 1]) {
      const sale = this.sales.get(`${program}/live/${invoice}`);
      if (sale) sale.refunded = Math.floor((sale.amount * (this.refunded.get(invoice) ?? 0)) / CHARGED);
    }
  }

  summary(): Summary {
    const live = [...this.sales.values()].filter(({ world }) => world === 'live');
    const waiting = this.clicks.flatMap(({ lead }, index) => (lead === 'provisional' ? [index] : []));
    const sum = (numbers: number[]) => numbers.reduce((total, n) => total + n, 0);
    return {
      leads: [...this.leads].map(([key, { click, partner }]) => `${key} ${click} ${partner}`).sort(),
      waiting,
      sales: [...this.sales].map(([key, s]) => `${key} ${s.customer} ${s.partner} ${s.amount} ${s.refunded}`).sort(),
      unattributed: [...this.unattributed].map(([key, reason]) => `${key} ${reason}`).sort(),
      totals: [0, 1].map((program) => {
        const sales = live.filter((sale) => sale.program === program);
        return {
          clicks: this.clicks.filter((click) => click.program === program).length,
          leads: [...this.leads.keys()].filter((key) => key.startsWith(`${program}/live/`)).length,
          waiting: waiting.filter((index) => this.clicks[index]?.program === program).length,
          sales: sales.length,
          salesCents: sum(sales.map(({ amount }) => amount)),
          refundedCents: sum(sales.map(({ refunded }) => refunded)),
        };
      }),
    };
  }
}
