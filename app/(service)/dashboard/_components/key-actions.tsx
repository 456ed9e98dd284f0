'use client';

import { createContext, type ReactNode, useContext, useEffect, useRef } from 'react';
import { SubmitButton } from '@/components/ui/submit-button';
import { IDLE } from '@/lib/service/dashboard/action-result';
import { revokeApiKey, rotateApiKey } from '@/lib/service/dashboard/settings-actions';
import type { ApiKeySummary } from '@/lib/service/keys';
import { Outcome } from './action-form';
import { ProgramField } from './program-page';
import { useActionResult } from './use-action-result';

type Action = (form: FormData) => void;

const Actions = createContext<{ rotate: Action; revoke: Action; isPending: boolean } | null>(null);

/**
 * The table of keys, with the results of its rows' actions above it: a revoked row no longer has a form, and a row may move
 * to the next page when a new key is created. One at a time: the next result would replace a new key that is shown once.
 */
export function KeyResults({ children }: { children: ReactNode }) {
  const [rotated, rotate, isRotating] = useActionResult(rotateApiKey);
  const [revoked, revoke, isRevoking] = useActionResult(revokeApiKey);
  const results = useRef<HTMLDivElement>(null);

  // The focused button may be gone.
  useEffect(() => {
    if (rotated !== IDLE || revoked !== IDLE) results.current?.focus();
  }, [rotated, revoked]);

  return (
    <Actions value={{ rotate, revoke, isPending: isRotating || isRevoking }}>
      <div ref={results} tabIndex={-1} className="grid gap-3 not-has-[:not(:empty)]:absolute">
        <Outcome result={rotated} />
        <Outcome result={revoked} />
      </div>
      {children}
    </Actions>
  );
}

type KeyActionsProps = { apiKey: Pick<ApiKeySummary, 'id' | 'last4' | 'state'>; canRotate: boolean };

/** Rotates or revokes the key of a row, below `KeyResults`. */
export function KeyActions({ apiKey: { id, last4, state }, canRotate }: KeyActionsProps) {
  const actions = useContext(Actions);
  if (!actions || state === 'expired' || state === 'revoked') return null;
  const confirmation = `Revoke the key ending in ${last4}? Calls with it will fail, and everyone who signed in with it is signed out.`;
  return (
    <div className="flex flex-wrap items-start gap-2">
      {state === 'active' && canRotate && (
        <KeyForm verb="Rotate" id={id} last4={last4} action={actions.rotate} isWaiting={actions.isPending} />
      )}
      {/* Not in `onSubmit`: for a press before hydration, React calls the action alone. */}
      <KeyForm
        verb="Revoke"
        id={id}
        last4={last4}
        action={(form) => {
          if (window.confirm(confirmation)) actions.revoke(form);
        }}
        isWaiting={actions.isPending}
      />
    </div>
  );
}

type KeyFormProps = {
  verb: 'Rotate' | 'Revoke';
  id: string;
  last4: string;
  action: Action;
  isWaiting: boolean;
};

function KeyForm({ verb, id, last4, action, isWaiting }: KeyFormProps) {
  return (
    <form action={action}>
      <ProgramField />
      <input type="hidden" name="key_id" value={id} />
      <SubmitButton
        variant={verb === 'Revoke' ? 'danger' : 'secondary'}
        size="small"
        pendingLabel="Saving…"
        isWaiting={isWaiting}
      >
        <span>
          {verb}
          <span className="sr-only"> the key ending in {last4}</span>
        </span>
      </SubmitButton>
    </form>
  );
}
