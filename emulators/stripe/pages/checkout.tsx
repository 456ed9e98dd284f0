// Hosted Checkout: what is bought on the left, the form on the right, and a drawer with the session's metadata.
import type { PropsWithChildren } from 'hono/jsx';
import { formatMoney } from '../../core/format';
import { Page } from '../../core/page';
import { Button, Callout, Money, TextField } from '../../core/ui';
import type { ChallengeView, CheckoutView } from '../checkout/page';
import { BankFields, CardFields, type ErrorOf, TestCards } from './card-fields';
import { AddressFields, ConsentField, PhoneField } from './detail-fields';
import { MetadataDrawer } from './metadata-drawer';
import { OrderSummary } from './order-summary';

type CheckoutProps = { id: string; view: CheckoutView; appName: string };

/** The frame of every page that Stripe itself would host. */
export const HostedPage = ({ title, part = title, children }: PropsWithChildren<{ title: string; part?: string }>) => (
  <Page
    title={title}
    header={<p class="small">Stripe {part}, emulated. No card is charged and nothing leaves this computer.</p>}
    scripts={['card-form']}
  >
    {children}
  </Page>
);

export function CheckoutPage({ id, view, appName }: CheckoutProps) {
  if (view.status !== 'open') return <ClosedCheckout view={view} appName={appName} />;
  return (
    <HostedPage title="Checkout">
      <div class="checkout">
        <OrderSummary id={id} view={view} appName={appName} />
        <PaymentForm id={id} view={view} />
      </div>
      <MetadataDrawer view={view} />
    </HostedPage>
  );
}

const ClosedCheckout = ({ view, appName }: Omit<CheckoutProps, 'id'>) => (
  <HostedPage title="Checkout">
    <h1>{view.status === 'complete' ? 'This checkout is complete' : 'This checkout has expired'}</h1>
    <p class="muted">
      {view.status === 'complete' ? 'You can close this page.' : `Nothing was charged. Start again from ${appName}.`}
    </p>
    {view.status !== 'complete' && view.cancelUrl && (
      <p>
        <a href={view.cancelUrl} class="back">
          Back to {appName}
        </a>
      </p>
    )}
    <MetadataDrawer view={view} />
  </HostedPage>
);

/** Works without JavaScript, and shows what was wrong with the last attempt next to what was typed. */
function PaymentForm({ id, view }: Omit<CheckoutProps, 'appName'>) {
  const last = view.lastAttempt;
  const problem = last?.problem;
  const errorOf: ErrorOf = (field) => (problem?.field === field ? problem.message : undefined);
  return (
    <form method="post" action={`/stripe/checkout/${id}/pay`} novalidate class="stack" data-card-form>
      {problem && problem.field !== 'promotion_code' && (
        <Callout tone="danger" role="alert" title="Nothing was charged">
          <p>{problem.message}</p>
        </Callout>
      )}
      <h2>Contact information</h2>
      <TextField
        id="email"
        name="email"
        type="email"
        label="Email"
        autocomplete="email"
        required
        readonly={view.email !== null}
        value={view.email ?? last?.email}
        error={errorOf('email')}
      />
      {view.asked.needsPhone && <PhoneField view={view} errorOf={errorOf} />}
      {view.needsCountry && <input type="hidden" name="country" value={view.country ?? ''} />}
      {view.needsMethod && (
        <>
          <h2>Payment method</h2>
          <CardFields typed={last} errorOf={errorOf} />
        </>
      )}
      {view.asked.needsAddress && <AddressFields view={view} errorOf={errorOf} />}
      {view.asked.needsConsent && <ConsentField view={view} errorOf={errorOf} />}
      <div>
        <Button size="full">{payLabel(view)}</Button>
        <p role="status" class="muted" data-status />
      </div>
      {view.customText.submit && <p class="muted">{view.customText.submit}</p>}
      {view.customText.after_submit && <p class="muted">{view.customText.after_submit}</p>}
      {view.needsMethod && <TestCards />}
      {view.needsMethod && view.takesDebits && <BankFields typed={last} errorOf={errorOf} />}
    </form>
  );
}

const VERBS: Record<string, string> = { book: 'Book', donate: 'Donate' };

function payLabel({ mode, submitType, trialDays, total, currency }: CheckoutView): string {
  if (mode === 'payment') return `${VERBS[submitType ?? ''] ?? 'Pay'} ${formatMoney(total, currency)}`;
  return trialDays ? 'Start trial' : 'Subscribe';
}

type ChallengeProps = { id: string; view: ChallengeView; appName: string };

/** The page of the card's bank (3-D Secure). */
export const ChallengePage = ({ id, view, appName }: ChallengeProps) => (
  <HostedPage title="3-D Secure">
    <form method="post" action={`/stripe/checkout/${id}/authenticate/answer`} class="stack">
      <h1>Confirm this payment with your bank</h1>
      <p>
        {appName} · <Money amount={view.amount} currency={view.currency} /> · Card •••• {view.last4}
      </p>
      <p class="muted">“Complete” confirms the payment as the cardholder would. “Fail” refuses it.</p>
      <div class="row">
        <Button name="answer" value="complete">
          Complete
        </Button>
        <Button variant="secondary" name="answer" value="fail">
          Fail
        </Button>
      </div>
    </form>
  </HostedPage>
);
