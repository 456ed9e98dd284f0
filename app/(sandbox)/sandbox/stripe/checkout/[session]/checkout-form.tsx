import { Callout } from '@/components/ui/callout';
import { TextField } from '@/components/ui/field';
import { formatMoney } from '@/components/ui/format-money';
import { SubmitButton } from '@/components/ui/submit-button';
import type { CheckoutView } from '@/lib/sandbox/stripe/checkout/show-checkout';
import { CardFields, TestCards } from '../../card-fields';
import { BankFields } from './bank-fields';

/** The form for a card or a bank account. It posts without JavaScript, and shows what the last attempt came to. */
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
      {view.needsMethod && <CardFields name={view.lastAttempt?.name ?? ''} errorOf={errorOf} />}
      <SubmitButton>{payLabel(view)}</SubmitButton>
      {view.cancelUrl && (
        <p>
          <a href={view.cancelUrl} className="hit-area text-link underline underline-offset-4">
            Cancel and go back
          </a>
        </p>
      )}
      {view.needsMethod && <TestCards />}
      {view.needsMethod && view.takesDebits && <BankFields errorOf={errorOf} />}
    </form>
  );
}

function payLabel({ mode, trialDays, total, currency }: CheckoutView): string {
  if (mode === 'payment') return `Pay ${formatMoney(total, currency)}`;
  return trialDays ? 'Start trial' : 'Subscribe';
}
