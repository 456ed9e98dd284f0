import { describe, expect, it } from 'vitest';
import { explainReason, findFix } from './explain-reason';

const NOON = new Date('2026-11-21T12:00:00Z');
const EVENT = { reason: null, leadId: null, leadClickedAt: null, customerKey: null, occurredAt: NOON };

describe('a reason leads to where it is mended', () => {
  it.each([
    ['no_program', '/dashboard/settings#checkout'],
    ['no_attribution', '/dashboard/settings#checkout'],
    ['no_payment_account', '/dashboard/settings#payments'],
    ['mode_mismatch', '/dashboard/settings#payments'],
    ['unknown_click', '/dashboard/settings#windows'],
  ])('%s to %s', (reason, href) => {
    expect(findFix({ ...EVENT, reason, customerKey: 'user_1' })).toMatchObject({ href });
  });

  it('an unknown customer to the journey where there is one, else to every event of the customer', () => {
    const event = { ...EVENT, reason: 'unknown_customer', customerKey: 'user/1' };
    for (const reason of ['unknown_customer', 'unknown_click']) {
      expect(findFix({ ...event, reason, leadId: 'led_1' })?.href).toBe('/dashboard/customers/led_1');
    }
    expect(findFix(event)?.href).toBe('/dashboard/events?customer=user%2F1');
  });

  it('and to Stripe where the customer is known by now', () => {
    const event = { ...EVENT, reason: 'unknown_customer', leadClickedAt: NOON };
    expect(explainReason({ ...event, leadClickedAt: null })).toContain('is unknown');
    const known = explainReason({ ...event, leadId: 'led_1' });
    expect(known).toMatch(/resend its event.* counts on the day of the report/);
    const otherReason = { ...event, reason: 'unknown_click' };
    expect(explainReason(otherReason)).toContain('is not a click of this program');
    expect(explainReason({ ...otherReason, leadId: 'led_1' })).toBe(known);
  });

  it('but not where the payment is older than the click that won the customer', () => {
    const leadClickedAt = new Date(NOON.getTime() + 1);
    for (const reason of ['unknown_customer', 'unknown_click']) {
      const older = explainReason({ ...EVENT, reason, leadId: 'led_1', leadClickedAt });
      expect(older).toMatch(/click is newer than this payment/);
      expect(older).toContain('Do not resend');
    }
  });

  it('a payment without its keys is repaired in two places, since no later event of it brings them', () => {
    for (const reason of ['no_program', 'no_attribution']) {
      expect(explainReason({ ...EVENT, reason })).toMatch(
        /set the keys there in Stripe too; .* with this payment ID as its transaction_id\.$/,
      );
    }
  });

  it('and none where there is nothing to mend', () => {
    for (const reason of [null, 'dispute_open', 'refund_failed', 'constructor', 'of_another_version']) {
      expect(findFix({ ...EVENT, reason })).toBeNull();
    }
  });
});
