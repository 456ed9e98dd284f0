'use client';

import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from 'react';
import { Callout } from '@/components/ui/callout';
import { describeLostAction } from '@/components/ui/lost-action';
import { SubmitButton } from '@/components/ui/submit-button';

/** What an action has done, in a sentence. */
export type ActionOutcome = { text: string; isProblem?: boolean };

const NOTHING: ActionOutcome & { count: number } = { text: '', count: 0 };

const Announce = createContext<(outcome: ActionOutcome) => void>(() => {});

/** Shows what the forms inside have done, and takes the focus when the row of the pressed button is gone. */
export function ActionResults({ children }: { children: ReactNode }) {
  const [{ text, isProblem, count }, setResult] = useState(NOTHING);
  const place = useRef<HTMLDivElement>(null);
  const pressed = useRef<Element>(null);
  const announce = useCallback((next: ActionOutcome) => {
    pressed.current = document.activeElement;
    setResult((previous) => ({ ...next, count: previous.count + 1 }));
  }, []);
  useEffect(() => {
    if (count > 0) place.current?.scrollIntoView({ block: 'nearest' });
  }, [count]);
  useEffect(() => () => setResult(NOTHING), []); // Next keeps a page that was left, with its state
  // The row leaves in a later render than the one that shows the result.
  useEffect(() => {
    if (!pressed.current || pressed.current.isConnected) return;
    pressed.current = null;
    if (document.activeElement === document.body) place.current?.focus();
  });
  return (
    <Announce value={announce}>
      <div ref={place} role="status" tabIndex={-1} className="text-muted-foreground text-sm not-empty:mb-4">
        {/* A repeat of the same text is announced, too. */}
        {text && (isProblem ? <Callout key={count} tone="danger" title={text} /> : <p key={count}>{text}</p>)}
      </div>
      {children}
    </Announce>
  );
}

type OperatorFormProps = {
  /** Returns what it has done. */
  action: (form: FormData) => Promise<ActionOutcome>;
  name: string;
  /** The ID of what the action changes, in the field `name`. */
  value: string;
  label: string;
  /** Asks first: the list changes by itself, so another row may be under the pointer. */
  question?: string;
  children: string;
};

/** One button for one row. */
export function OperatorForm({ action, name, value, label, question, children }: OperatorFormProps) {
  const announce = useContext(Announce);
  const act = async (form: FormData) => {
    if (question && !window.confirm(question)) return;
    announce(await action(form).catch((error) => ({ text: describeLostAction(error), isProblem: true })));
  };
  return (
    <form action={act}>
      <input type="hidden" name={name} value={value} />
      <SubmitButton variant="secondary" size="small" aria-label={label}>
        {children}
      </SubmitButton>
    </form>
  );
}
