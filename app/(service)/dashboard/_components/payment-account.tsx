import { Badge } from '@/components/ui/badge';
import { Card } from '@/components/ui/card';
import { Code } from '@/components/ui/code';
import { CopyButton } from '@/components/ui/copy-button';
import { DetailsList } from '@/components/ui/details-list';
import { SelectField, TextField } from '@/components/ui/field';
import { changePaymentAccount } from '@/lib/service/dashboard/settings-actions';
import type { Settings } from '@/lib/service/dashboard/settings-queries';
import { ActionForm } from './action-form';

const MODES = {
  live: <Badge tone="success">Payments: live mode</Badge>,
  test: <Badge tone="info">Payments: test mode</Badge>,
  none: <Badge tone="warning">No account connected</Badge>,
};

/** Path A: the connected account, the webhook endpoint, and its signing secret. */
export function PaymentAccount({ payments, endpoint }: { payments: Settings['payments']; endpoint: string }) {
  const mode = payments.mode ?? 'none';
  return (
    <Card
      id="payments"
      title="Connected payment account"
      description="Payments from this account are attributed by their checkout metadata."
      aside={MODES[mode]}
    >
      <div className="grid gap-5">
        <DetailsList
          items={[
            [
              'Endpoint',
              <span key="endpoint" className="flex flex-wrap items-center gap-3">
                <Code>{endpoint}</Code>
                <CopyButton value={endpoint} label="Copy the endpoint" />
              </span>,
            ],
            [
              'Events',
              'checkout.session.completed, checkout.session.async_payment_succeeded, payment_intent.succeeded, invoice.paid, invoice_payment.paid, charge.refunded, refund.failed, refund.updated, charge.dispute.created, charge.dispute.closed',
            ],
            ['Signing secret', 'Set SVC_STRIPE_WEBHOOK_SECRET on the server. It is never shown here.'],
          ]}
        />
        <ActionForm action={changePaymentAccount} submitLabel="Save account">
          <div className="grid w-full gap-4 sm:grid-cols-2">
            <SelectField
              key={mode}
              id="mode"
              name="mode"
              label="Stripe mode"
              hint="Payments in the other mode are not attributed (mode_mismatch). What was recorded in test mode stays in the totals."
              defaultValue={mode}
            >
              <option value="live">Live</option>
              <option value="test">Test</option>
              <option value="none">Not connected</option>
            </SelectField>
            <TextField
              id="account_id"
              name="account_id"
              label="Account ID"
              hint="From Stripe: Settings, Business, Account details. Checked only for events that name an account (Stripe Connect)."
              defaultValue={payments.accountId}
              inputClassName="font-mono"
            />
          </div>
        </ActionForm>
      </div>
    </Card>
  );
}
