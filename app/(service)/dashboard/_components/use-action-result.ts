'use client';

import { type FormEvent, useActionState, useEffect, useRef, useState } from 'react';
import { describeLostAction } from '@/components/ui/lost-action';
import { type ActionResult, failed, IDLE } from '@/lib/service/dashboard/action-result';

/** What a form calls, with the result of its previous call. */
export type FormAction = (state: ActionResult, form: FormData) => Promise<ActionResult>;

/**
 * Like `useActionState`, but the result is dropped when the form is sent again or the page is left. A message that goes and comes
 * back is announced again, even if it is the same. Next keeps a page that was left, with its state, and would show a new key again
 * when the page is reopened.
 * @returns the result, what sends the form, and whether a response is pending
 */
export function useActionResult(action: FormAction): readonly [ActionResult, (form: FormData) => void, boolean] {
  const isSent = useRef(false);
  const [result, dispatch, isPending] = useActionState<ActionResult, FormData>(async (state, form) => {
    try {
      return await action(state, form);
    } catch (error) {
      return failed(describeLostAction(error));
    } finally {
      isSent.current = false;
    }
  }, IDLE);
  // React replays every press that came before hydration: a second one would create a second key, or hide the first.
  const send = (form: FormData) => {
    if (!isSent.current) dispatch(form);
    isSent.current = true;
  };
  const [dropped, setDropped] = useState<ActionResult>(IDLE);
  useEffect(() => () => setDropped(result), [result]);
  return [isPending || result === dropped ? IDLE : result, send, isPending];
}

/** React clears a form after its action. For `onReset`: what was refused stays, to be corrected. */
export const keepRefused = (result: ActionResult) => (event: FormEvent) => {
  if (result.status === 'failed') event.preventDefault();
};
