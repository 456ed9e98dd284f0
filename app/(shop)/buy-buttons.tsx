import { Button } from '@/components/ui/button';
import type { Plan } from '@/lib/integration/plans';
import { TransferForm } from './transfer-form'; // part: demo

/** Plain forms that post the plan's name: they work before any script has loaded, on pages without a session. */
export function BuyButtons({ plan, label = `Choose ${plan.label}` }: { plan: Plan; label?: string }) {
  return (
    <div className="mt-6 flex flex-wrap gap-2">
      <form action="/api/checkout" method="post">
        <input type="hidden" name="plan" value={plan.name} />
        <Button type="submit">{label}</Button>
      </form>
      {/* part: demo */}
      <TransferForm plan={plan} />
      {/* end: demo */}
    </div>
  );
}
