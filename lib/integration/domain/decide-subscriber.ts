// Stripe's own words. `incomplete` is a first payment that has not worked yet: whoever tries again must be able to.
const LIVE = ['active', 'trialing', 'past_due', 'unpaid', 'paused'];

/** Whether somebody pays by the month or year already: a second subscription would charge them twice. */
export const isSubscriber = (subscriptions: Array<{ status: string }>): boolean =>
  subscriptions.some(({ status }) => LIVE.includes(status));
