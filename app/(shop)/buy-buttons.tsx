import { SubmitButton } from '@/components/ui/submit-button';
import type { Plan } from '@/lib/integration/plans';

/** Plain forms with a plan's name in them: they work before any script has loaded, on pages that know nobody. */
export function BuyButtons({ plan }: { plan: Plan }) {
  return (
    <div className="mt-6 flex flex-wrap gap-2">
      <form action="/api/checkout" method="post">
        <input type="hidden" name="plan" value={plan.name} />
        <SubmitButton>Choose {plan.label}</SubmitButton>
      </form>
      <form action="/api/bank-transfer" method="post">
        <input type="hidden" name="plan" value={plan.name} />
        <SubmitButton variant="ghost">
          Pay by bank transfer<span className="sr-only"> for {plan.label}</span>
        </SubmitButton>
      </form>
    </div>
  );
}
