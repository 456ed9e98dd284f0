// The Payment Element. The browser gets a client secret and none of the three keys: the server puts them on the PaymentIntent.
// Change in your app: the page that it returns to.
'use client';

import { loadStripe, type Stripe, type StripeElements } from '@stripe/stripe-js';
import { useEffect, useRef, useState } from 'react';

type Payment = { stripe: Stripe; elements: StripeElements };

export default function PaymentForm() {
  const place = useRef<HTMLDivElement>(null);
  const [payment, setPayment] = useState<Payment>();
  const [problem, setProblem] = useState<string>();
  const hasStarted = useRef(false); // effects run again in development, and when Next shows a hidden page again

  useEffect(() => {
    if (hasStarted.current) return;
    hasStarted.current = true;
    const opening = openPayment().catch(() => null); // blocked, or without a network
    void opening.then((opened) => {
      if (!opened) return setProblem('The payment form could not be loaded.');
      if (!place.current) return;
      opened.elements.create('payment').mount(place.current);
      setPayment(opened);
    });
  }, []);

  async function pay(): Promise<void> {
    if (!payment) return;
    const confirmParams = { return_url: `${window.location.origin}/account` };
    const { error } = await payment.stripe.confirmPayment({ elements: payment.elements, confirmParams });
    setProblem(error.message);
  }

  return (
    <form action={pay}>
      <div ref={place} />
      <p role="alert">{problem}</p>
      <button type="submit" disabled={!payment}>
        Pay
      </button>
    </form>
  );
}

async function openPayment(): Promise<Payment | null> {
  const stripe = await loadStripe(process.env.NEXT_PUBLIC_STRIPE_PUBLISHABLE_KEY ?? '');
  if (!stripe) return null;
  const response = await fetch('/api/pay', { method: 'POST' });
  if (!response.ok) return null;
  const { client_secret: clientSecret } = (await response.json()) as { client_secret: string };
  return { stripe, elements: stripe.elements({ clientSecret }) };
}
