// Repeats a checkout that was posted with an expired session: opening this page has renewed the session, which a POST cannot.
// Only the payment is resumed. It charges nothing before the customer confirms, so a link to this page is harmless.
'use client';

import { useEffect, useRef } from 'react';

/** Once per visit: the ref guards against effects that run twice, the changed URL against a return from the payment page. */
export function ResumePayment({ plan }: { plan: string }) {
  const form = useRef<HTMLFormElement>(null);
  const hasStarted = useRef(false);

  useEffect(() => {
    if (hasStarted.current) return;
    hasStarted.current = true;
    window.history.replaceState(null, '', `/checkout?plan=${plan}`);
    form.current?.requestSubmit();
  }, [plan]);

  return (
    <form ref={form} action="/api/checkout" method="post">
      <input type="hidden" name="plan" value={plan} />
      <input type="hidden" name="resumed" value="1" />
      <p role="status">Opening the payment page…</p>
    </form>
  );
}
