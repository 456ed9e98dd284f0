'use client';

import { useActionState } from 'react';
import { Card } from '@/components/ui/card';
import { SubmitButton } from '@/components/ui/submit-button';
import { advanceTime } from '../actions';

type ClockProps = {
  /** What the clock shows. */
  today: string;
  /** Whose time passes; empty for everyone's. */
  customer: string;
};

/** Time on Stripe's side: renewals, retries and ends fall due as it passes. */
export function Clock({ today, customer }: ClockProps) {
  const [outcome, action] = useActionState(advanceTime, '');
  return (
    <Card
      id="clock"
      title="Clock"
      description={`It is ${today} ${customer ? `for ${customer}` : 'for everyone'}. Time passes at once: what falls due happens in order, and is delivered.`}
    >
      <form action={action} className="grid gap-4">
        <input type="hidden" name="customer" value={customer} />
        <div className="flex flex-wrap gap-2">
          <SubmitButton name="step" value="month" pendingLabel="Time passes…">
            Advance one month
          </SubmitButton>
          <SubmitButton name="step" value="day" variant="secondary">
            Advance one day
          </SubmitButton>
          <SubmitButton name="step" value="next" variant="secondary">
            To the next renewal
          </SubmitButton>
        </div>
        <p role="status" className="min-h-6">
          {outcome}
        </p>
      </form>
    </Card>
  );
}
