'use client';

import { useActionState } from 'react';
import { Card } from '@/components/ui/card';
import { SelectField } from '@/components/ui/field';
import { SubmitButton } from '@/components/ui/submit-button';
import { advanceTime } from '../actions';

type ClockProps = {
  /** What the sandbox's clock shows, for everyone. */
  today: string;
  customers: ReadonlyArray<{ id: string; name: string }>;
};

/** Time on Stripe's side: renewals, retries and ends fall due as it passes. */
export function Clock({ today, customers }: ClockProps) {
  const [outcome, action] = useActionState(advanceTime, '');
  return (
    <Card
      id="clock"
      title="Clock"
      description={`It is ${today} in the sandbox. Time passes at once: what falls due happens in order, and is delivered.`}
    >
      <form action={action} className="grid gap-4">
        <SelectField id="customer" name="customer" label="Whose time" className="max-w-sm">
          <option value="">Everyone’s</option>
          {customers.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
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
