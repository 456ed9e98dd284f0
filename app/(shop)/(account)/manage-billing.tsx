import { Button } from '@/components/ui/button';

/** Opens Stripe's billing portal: invoices, cards, plan changes and cancellation. */
export function ManageBilling({ label = 'Manage billing', subject }: { label?: string; subject?: string }) {
  return (
    <form action="/api/billing" method="post" className="mt-6">
      <Button type="submit" variant="secondary">
        {label}
        {subject && <span className="sr-only"> for {subject}</span>}
      </Button>
    </form>
  );
}
