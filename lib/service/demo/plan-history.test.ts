import { describe, expect, test } from 'vitest';
import { FEED_KINDS } from '../events/kinds';
import { type HistoryProgram, planHistory } from './plan-history';

const NOW = new Date('2026-11-21T12:00:00Z');
const program: HistoryProgram = { programId: 'prg', seed: 1, isBrowserAllowed: false, clicksPerDay: 26 };

describe('the history of a demo program', () => {
  const history = planHistory(program, NOW);

  test('is the same for the same seed and time, and another for another seed', () => {
    expect(planHistory(program, NOW)).toEqual(history);
    expect(planHistory({ ...program, seed: 2 }, NOW).events).not.toEqual(history.events);
  });

  test('has every kind of event, several partners, several reasons, and both modes', () => {
    expect(new Set(history.events.map(({ kind }) => kind))).toEqual(new Set(FEED_KINDS));
    const partners = new Set(history.events.flatMap(({ partner_code }) => partner_code ?? []));
    expect(partners).toEqual(new Set(history.partners.map(({ code }) => code)));
    const reasons = history.events.filter(({ kind }) => kind === 'not_attributed').map(({ reason }) => reason);
    expect(new Set(reasons).size).toBeGreaterThanOrEqual(3);
    expect(history.events.filter(({ test }) => test).length).toBeGreaterThan(3);
  });

  test('is full in each of its weeks, and has nothing later than its end', () => {
    for (let week = 0; week < 8; week++) {
      const [from, to] = [week + 1, week].map((weeks) => NOW.getTime() - weeks * 7 * 86_400_000);
      const kinds = history.events
        .filter(({ created_at }) => Date.parse(created_at) > (from ?? 0) && Date.parse(created_at) <= (to ?? 0))
        .map(({ kind }) => kind);
      expect(kinds, `week ${week}`).toEqual(expect.arrayContaining(['click', 'lead', 'sale']));
    }
    expect(history.events.every(({ created_at }) => Date.parse(created_at) <= NOW.getTime())).toBe(true);
  });

  test('is one story for each customer: a lead follows its click, a payment its lead, and a refund its payment', () => {
    const clicks = new Map(history.clicks.map((click) => [click.id, click.created_at]));
    const leads = new Map(history.leads.map((lead) => [lead.customer_key, lead]));
    const sales = new Map(history.sales.map((sale) => [sale.transaction_id, sale]));
    for (const lead of leads.values()) {
      if (lead.click_id) expect(lead.created_at > (clicks.get(lead.click_id) ?? '~')).toBe(true);
      else expect(lead.test).toBe(true);
    }
    for (const sale of sales.values()) {
      expect(sale.created_at > (leads.get(sale.customer_key)?.created_at ?? '~')).toBe(true);
      expect(sale.refunded_cents).toBeLessThanOrEqual(sale.amount_cents);
    }
    for (const event of history.events.filter(({ kind }) => kind === 'refund')) {
      const sale = sales.get(event.transaction_id ?? '');
      expect(sale?.refunded_cents).toBe(event.amount_cents);
      expect(event.created_at > (sale?.created_at ?? '~')).toBe(true);
    }
  });

  test('has provisional leads where leads are server-verified, and none where the browser settles them', () => {
    const provisional = (isBrowserAllowed: boolean) =>
      planHistory({ ...program, isBrowserAllowed }, NOW).events.filter(({ kind }) => kind === 'provisional').length;
    expect(provisional(false)).toBeGreaterThan(history.provisional.filter(({ settled_at }) => settled_at).length);
    expect(provisional(true)).toBe(0);
  });
});
