'use client';

import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from 'react';
import { describeLostAction } from '@/components/ui/lost-action';
import { SubmitButton } from '@/components/ui/submit-button';

const NOTHING = { result: '', count: 0 };

const Announce = createContext<(result: string) => void>(() => {});

/** Announces what the forms inside have done, and takes the focus when the row of the pressed button is gone. */
export function ActionResults({ children }: { children: ReactNode }) {
  const [{ result, count }, setResult] = useState(NOTHING);
  const place = useRef<HTMLParagraphElement>(null);
  const pressed = useRef<Element>(null);
  const announce = useCallback((next: string) => {
    pressed.current = document.activeElement;
    setResult((previous) => ({ result: next, count: previous.count + 1 }));
  }, []);
  useEffect(() => () => setResult(NOTHING), []); // Next keeps a page that was left, with its state
  // The row leaves in a later render than the one that shows the result.
  useEffect(() => {
    if (!pressed.current || pressed.current.isConnected) return;
    pressed.current = null;
    if (document.activeElement === document.body) place.current?.focus();
  });
  return (
    <Announce value={announce}>
      <p ref={place} role="status" tabIndex={-1} className="text-muted-foreground text-sm not-empty:mb-4">
        {/* A repeat of the same text is announced, too. */}
        {result && <span key={count}>{result}</span>}
      </p>
      {children}
    </Announce>
  );
}

type OperatorFormProps = {
  action: (form: FormData) => Promise<void>;
  name: string;
  /** The ID of what the action changes, in the field `name`. */
  value: string;
  label: string;
  /** What the action has done, once it has. */
  result: string;
  /** Asks first: the list changes by itself, so another row may be under the pointer. */
  question?: string;
  children: string;
};

/** One button for one row. */
export function OperatorForm({ action, name, value, label, result, question, children }: OperatorFormProps) {
  const announce = useContext(Announce);
  const act = async (form: FormData) => {
    if (question && !window.confirm(question)) return;
    announce(await action(form).then(() => result, describeLostAction));
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
