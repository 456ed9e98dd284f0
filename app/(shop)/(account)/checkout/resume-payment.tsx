// Repeats a checkout that was posted with an expired session: opening this page has renewed the session, which a POST cannot.
// Only the payment is resumed. It charges nothing before the customer confirms, so a link to this page is harmless.
'use client';

import { useEffect, useRef, useState } from 'react';

/** Once per visit: the ref guards against effects that run twice, the changed URL against a return from the payment page. */
export function ResumePayment({ plan }: { plan: string }) {
  const form = useRef<HTMLFormElement>(null);
  const hasStarted = useRef(false);
  const [isLeaving, setIsLeaving] = useState(true);

  useEffect(() => {
    if (hasStarted.current) return;
    hasStarted.current = true;
    window.history.replaceState(null, '', `/checkout?plan=${plan}`);
    form.current?.requestSubmit();
  }, [plan]);

  // Back from the payment page, a browser may restore this page as it was left.
  useEffect(() => {
    const stay = ({ persisted }: PageTransitionEvent) => persisted && setIsLeaving(false);
    window.addEventListener('pageshow', stay);
    return () => window.removeEventListener('pageshow', stay);
  }, []);

  return (
    <form ref={form} action="/api/checkout" method="post">
      <input type="hidden" name="plan" value={plan} />
      <input type="hidden" name="resumed" value="1" />
      <p role="status">{isLeaving && 'Opening the payment page…'}</p>
    </form>
  );
}
