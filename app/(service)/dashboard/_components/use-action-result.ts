'use client';

import { useActionState, useEffect, useState } from 'react';
import { type ActionResult, IDLE } from '@/lib/service/dashboard/action-result';

/** What a form calls, with the result of its previous call. */
export type FormAction = (state: ActionResult, form: FormData) => Promise<ActionResult>;

const NO_ANSWER: ActionResult = {
  status: 'failed',
  message: 'The server did not answer. Check your connection and try again. What you sent may have arrived.',
};

/** A connection that fails is a result too: an error would replace the page, and what was entered with it. */
const reaching =
  (action: FormAction): FormAction =>
  (state, form) =>
    action(state, form).catch((error: unknown) => {
      if (error instanceof TypeError) return NO_ANSWER; // that of `fetch`
      throw error;
    });

/**
 * As `useActionState`, until the form is sent again or the page is left. A message that goes and comes back is announced again, even
 * if it is the same. Next keeps a page that was left, with its state, and would show a new key again when the page is reopened.
 */
export function useActionResult(action: FormAction): readonly [ActionResult, (form: FormData) => void] {
  const [result, send, isPending] = useActionState(reaching(action), IDLE);
  const [dropped, setDropped] = useState<ActionResult>(IDLE);
  useEffect(() => () => setDropped(result), [result]);
  return [isPending || result === dropped ? IDLE : result, send];
}
