import { Callout } from '@/components/ui/callout';
import { Disclosure } from '@/components/ui/disclosure';
import { TextField } from '@/components/ui/field';
import { formatMoney } from '@/components/ui/format-money';
import { SubmitButton } from '@/components/ui/submit-button';
import type { CheckoutView } from '@/lib/sandbox/stripe/checkout/show-checkout';

/** The card form. It posts without JavaScript, and shows what the last attempt came to. */
export function CheckoutForm({ session, view }: { session: string; view: CheckoutView }) {
  const problem = view.lastAttempt?.problem;
  const errorOf = (field: string) => (problem?.field === field ? problem.message : undefined);
  return (
    <form method="post" action={`/sandbox/stripe/checkout/${session}/pay`} noValidate className="grid gap-4">
      {problem && problem.field !== 'promotion_code' && (
        <Callout tone="danger" role="alert" title="The payment did not go through">
          {problem.message}
        </Callout>
      )}
      <TextField
        id="email"
        name="email"
        type="email"
        label="E-mail"
        autoComplete="email"
        required
        readOnly={view.email !== null}
        defaultValue={view.email ?? view.lastAttempt?.email ?? ''}
        error={errorOf('email')}
      />
      <TextField
        id="number"
        name="number"
        label="Card number"
        inputMode="numeric"
        autoComplete="cc-number"
        required
        placeholder="4242 4242 4242 4242"
        error={errorOf('number')}
      />
      <div className="grid grid-cols-2 gap-4">
        <TextField
          id="expiry"
          name="expiry"
          label="Expiry"
          autoComplete="cc-exp"
          required
          placeholder="MM / YY"
          error={errorOf('expiry')}
        />
        <TextField
          id="cvc"
          name="cvc"
          label="CVC"
          inputMode="numeric"
          autoComplete="cc-csc"
          required
          placeholder="123"
          error={errorOf('cvc')}
        />
      </div>
      <TextField
        id="name"
        name="name"
        label="Name on card"
        autoComplete="cc-name"
        required
        defaultValue={view.lastAttempt?.name ?? ''}
        error={errorOf('name')}
      />
      <SubmitButton>{payLabel(view)}</SubmitButton>
      {view.cancelUrl && (
        <p>
          <a href={view.cancelUrl} className="text-link underline underline-offset-4">
            Cancel and go back
          </a>
        </p>
      )}
      <Disclosure summary="Test cards">
        <ul className="grid gap-1 text-sm">
          <li>4242 4242 4242 4242 succeeds</li>
          <li>4000 0000 0000 0002 is declined</li>
          <li>4000 0000 0000 9995 has insufficient funds</li>
          <li>4000 0000 0000 0341 succeeds today and fails at the next renewal</li>
          <li>Any expiry in the future, any three digits</li>
        </ul>
      </Disclosure>
    </form>
  );
}

function payLabel({ mode, trialDays, total, currency }: CheckoutView): string {
  if (mode === 'payment') return `Pay ${formatMoney(total, currency)}`;
  return trialDays ? 'Start trial' : 'Subscribe';
}
