'use client';

import { useActionState, useEffect, useState } from 'react';
import { type ActionResult, IDLE } from '@/lib/service/dashboard/action-result';

/** What a form calls, with the result of its previous call. */
export type FormAction = (state: ActionResult, form: FormData) => Promise<ActionResult>;

/**
 * As `useActionState`, until the page is left: Next keeps it hidden, with its state, and would show a new key again when it is
 * reopened.
 */
export function useActionResult(action: FormAction): readonly [ActionResult, (form: FormData) => void] {
  const [result, send] = useActionState(action, IDLE);
  const [dropped, setDropped] = useState<ActionResult>(IDLE);
  useEffect(() => () => setDropped(result), [result]);
  return [result === dropped ? IDLE : result, send];
}
