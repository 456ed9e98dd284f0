'use client';

import type { ReactNode } from 'react';
import { Callout } from '@/components/ui/callout';
import { Code } from '@/components/ui/code';
import { CopyButton } from '@/components/ui/copy-button';
import { SubmitButton } from '@/components/ui/submit-button';
import type { ActionResult } from '@/lib/service/dashboard/action-result';
import { ProgramField } from './program-page';
import { type FormAction, keepRefused, useActionResult } from './use-action-result';

type ActionFormProps = {
  action: FormAction;
  submitLabel: ReactNode;
  variant?: 'primary' | 'secondary' | 'danger';
  children?: ReactNode;
};

/** A form that shows its result below its button. */
export function ActionForm({ action, submitLabel, variant, children }: ActionFormProps) {
  const [result, formAction] = useActionResult(action);
  return (
    <form action={formAction} onReset={keepRefused(result)} className="grid justify-items-start gap-4">
      <ProgramField />
      {children}
      <SubmitButton variant={variant ?? 'primary'} pendingLabel="Saving…">
        {submitLabel}
      </SubmitButton>
      <Outcome result={result} />
    </form>
  );
}

/** The result of an action. The status stays mounted, because a screen reader announces only what is added to an existing one. */
export function Outcome({ result }: { result: ActionResult }) {
  return (
    <>
      {result.status === 'failed' && (
        <Callout tone="danger" role="alert">
          {result.message}
        </Callout>
      )}
      <div role="status" className="empty:absolute">
        {result.status === 'done' && (
          <Callout tone="success">
            {result.message}
            {result.secret && (
              <span className="mt-2 flex flex-wrap items-center gap-3">
                <Code>{result.secret}</Code>
                <CopyButton value={result.secret} label="Copy the new key" />
              </span>
            )}
          </Callout>
        )}
      </div>
    </>
  );
}
