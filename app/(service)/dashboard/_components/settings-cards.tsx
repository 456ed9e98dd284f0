import { Card } from '@/components/ui/card';
import { Code, CodeBlock } from '@/components/ui/code';
import { CopyButton } from '@/components/ui/copy-button';
import { CheckField, TextField } from '@/components/ui/field';
import { PageHeader } from '@/components/ui/page-header';
import { changePause, changePolicy, changeWindows } from '@/lib/service/dashboard/settings-actions';
import type { Settings } from '@/lib/service/dashboard/settings-queries';
import type { ApiKeySummary, KeyAccess } from '@/lib/service/keys';
import { ActionForm } from './action-form';
import { ApiKeys } from './api-keys';
import { CursorPager } from './cursor-pager';
import { HashFocus } from './hash-focus';
import { PaymentAccount } from './payment-account';

type SettingsCardsProps = {
  settings: Settings;
  keys: { apiKeys: ApiKeySummary[]; grantable: readonly KeyAccess[]; isFirst: boolean; nextCursor: string | null };
  /** The address of this service. */
  origin: string;
  now: Date;
};

/** The settings page. */
export function SettingsCards({ settings, keys, origin, now }: SettingsCardsProps) {
  const { programId } = settings;
  return (
    <>
      <HashFocus />
      <PageHeader title="Settings" description={settings.name} />
      <div className="grid grid-cols-1 gap-6">
        <Card
          id="program"
          title="Program ID"
          description="Not a secret. The browser tracker and every checkout send it."
        >
          <span className="flex flex-wrap items-center gap-3">
            <Code>{programId}</Code>
            <CopyButton value={programId} label="Copy the program ID" />
          </span>
        </Card>
        <ApiKeys apiKeys={keys.apiKeys} grantable={keys.grantable} now={now}>
          <CursorPager path="/dashboard/settings" query="" isFirst={keys.isFirst} nextCursor={keys.nextCursor} />
        </ApiKeys>
        <Policy policy={settings.leadAuthPolicy} />
        <Windows settings={settings} />
        <CheckoutMetadata programId={programId} />
        <PaymentAccount payments={settings.payments} endpoint={`${origin}/api/v1/webhooks/stripe`} />
        <Pause isPaused={settings.isPaused} />
      </div>
    </>
  );
}

/** What a payment needs to be attributed: §2, Checkout metadata. */
function CheckoutMetadata({ programId }: { programId: string }) {
  return (
    <Card
      id="checkout"
      title="Checkout metadata"
      description="A payment is attributed by three keys. Stripe does not copy session metadata, so send them twice: without the second copy, renewals are not attributed."
    >
      <CodeBlock label="How to create a checkout session">{checkoutExample(programId)}</CodeBlock>
    </Card>
  );
}

const checkoutExample = (programId: string) => `const metadata = {
  svc_click_id: clickId, // from the svc_click_id cookie; leave out if there is none
  svc_customer_key: userId, // the same ID as in the lead
  program_id: '${programId}',
};

await stripe.checkout.sessions.create({
  mode: 'subscription',
  metadata,
  subscription_data: { metadata }, // in payment mode: payment_intent_data
  // line_items, success_url, …
});`;

function Policy({ policy }: { policy: Settings['leadAuthPolicy'] }) {
  return (
    <Card id="policy" title="Lead auth policy" description="What settles a lead.">
      <ActionForm action={changePolicy} submitLabel="Save policy">
        <fieldset>
          <legend className="sr-only">Lead auth policy</legend>
          <CheckField
            key={policy}
            type="radio"
            id="server_verified"
            name="lead_auth_policy"
            value="server_verified"
            defaultChecked={policy === 'server_verified'}
            label="Server-verified"
            hint="signup() in the browser creates a provisional lead, and your server settles it with the API key. Recommended."
          />
          <CheckField
            key={`open ${policy}`}
            type="radio"
            id="browser_allowed"
            name="lead_auth_policy"
            value="browser_allowed"
            defaultChecked={policy === 'browser_allowed'}
            label="Browser allowed"
            hint="The first signup() in the browser settles the lead. Anyone can send it with any user ID, and claim that user’s sales for a partner."
          />
        </fieldset>
      </ActionForm>
    </Card>
  );
}

function Windows({ settings }: { settings: Settings }) {
  return (
    <Card id="windows" title="Attribution windows" description="How long a click counts.">
      <ActionForm action={changeWindows} submitLabel="Save windows">
        <div className="grid w-full gap-4 sm:grid-cols-2">
          <TextField
            id="cookie_window_days"
            name="cookie_window_days"
            type="number"
            min={1}
            max={365}
            required
            label="Cookie window (days)"
            hint="How long a browser keeps svc_click_id."
            defaultValue={settings.cookieWindowDays}
          />
          <TextField
            id="attribution_window_days"
            name="attribution_window_days"
            type="number"
            min={1}
            max={365}
            required
            label="Attribution window (days)"
            hint="How old a click may be when its lead arrives. After that, a payment can still settle a provisional lead while its click is kept (400 days)."
            defaultValue={settings.attributionWindowDays}
          />
        </div>
      </ActionForm>
    </Card>
  );
}

function Pause({ isPaused }: { isPaused: boolean }) {
  return (
    <Card
      id="pause"
      title={isPaused ? 'Program paused' : 'Pause program'}
      description="A paused program tracks no new clicks. Existing clicks can still convert."
    >
      <ActionForm
        action={changePause}
        submitLabel={isPaused ? 'Resume program' : 'Pause program'}
        variant={isPaused ? 'primary' : 'danger'}
      >
        <input type="hidden" name="paused" value={String(!isPaused)} />
      </ActionForm>
    </Card>
  );
}
