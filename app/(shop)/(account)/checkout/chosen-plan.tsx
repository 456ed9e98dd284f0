import { Callout } from '@/components/ui/callout';
import { Card } from '@/components/ui/card';
import { LinkButton } from '@/components/ui/link-button';
import type { Plan } from '@/lib/integration/plans';
import { BuyButtons } from '../../buy-buttons';
import { PlanPrice, TrialNote } from '../../plan-price';
import { ResumePayment } from './resume-payment';

/** Messages for `problem` in the URL, which the routes under `/api` set when they redirect here. */
const PROBLEMS = new Map([
  ['payment', 'The payment page could not be opened'],
  ['transfer', 'Your order could not be saved'], // part: demo
]);

type Param = string | string[] | undefined;

/** The plan to pay for. `problem` and `resume` come from the URL. */
export function ChosenPlan({ plan, problem, resume }: { plan: Plan; problem: Param; resume: Param }) {
  return (
    <div className="grid max-w-xl gap-4">
      {resume === 'payment' && <ResumePayment plan={plan.name} />}
      {/* part: demo */}
      {resume === 'transfer' && (
        <Callout title="Confirm your order">Choose “Pay by bank transfer” again to place it.</Callout>
      )}
      {/* end: demo */}
      {problem && (
        <Callout tone="danger" title={PROBLEMS.get(String(problem)) ?? 'Something went wrong'} role="alert">
          Nothing was charged. Please try again in a moment.
        </Callout>
      )}
      <Card
        title={plan.label}
        aside={
          <LinkButton href="/account/plans" variant="ghost" size="small">
            Change plan
          </LinkButton>
        }
      >
        <PlanPrice price={plan} />
        <TrialNote plan={plan} />
        <BuyButtons plan={plan} label="Continue to payment" />
      </Card>
    </div>
  );
}
