'use client';

import { SubmitButton } from '@/components/ui/submit-button';
import { IDLE } from '@/lib/service/dashboard/action-result';
import { Outcome } from './action-form';
import { useActionResult } from './use-action-result';

type BarFormProps = { action: () => Promise<void>; label: string; variant?: 'secondary' | 'ghost' };

/** A button for an action that leads to another page. It says so if the server does not respond. */
export function BarForm({ action, label, variant = 'ghost' }: BarFormProps) {
  const [result, send] = useActionResult(async () => {
    await action();
    return IDLE;
  });
  return (
    <form action={send} className="flex flex-wrap items-center gap-3">
      <SubmitButton variant={variant} size="small">
        {label}
      </SubmitButton>
      <Outcome result={result} />
    </form>
  );
}
