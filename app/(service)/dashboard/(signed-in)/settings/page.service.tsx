import type { Metadata } from 'next';
import { Card } from '@/components/ui/card';
import { Code } from '@/components/ui/code';
import { CopyButton } from '@/components/ui/copy-button';
import { CheckField, TextField } from '@/components/ui/field';
import { PageHeader } from '@/components/ui/page-header';
import { writeCursor } from '@/lib/service/dashboard/cursor';
import { parseEventFilter, type SearchParams } from '@/lib/service/dashboard/event-filter';
import { readLinkBase, requireAccess } from '@/lib/service/dashboard/session';
import { changePause, changePolicy, changeWindows } from '@/lib/service/dashboard/settings-actions';
import { readSettings, type Settings } from '@/lib/service/dashboard/settings-queries';
import { listKeys } from '@/lib/service/keys';
import { ActionForm } from '../../_components/action-form';
import { ApiKeys } from '../../_components/api-keys';
import { Pager } from '../../_components/pager';
import { PaymentAccount } from '../../_components/payment-account';

export const metadata: Metadata = { title: 'Settings' };

export default async function SettingsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { programId } = await requireAccess();
  const now = new Date();
  const { cursor } = parseEventFilter(await searchParams);
  const [settings, keys, origin] = await Promise.all([
    readSettings(programId),
    listKeys(programId, now, { after: cursor }),
    readLinkBase(),
  ]);
  return (
    <>
      <PageHeader title="Settings" description={settings.name} />
      <div className="grid gap-6">
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
        <ApiKeys apiKeys={keys.apiKeys} now={now}>
          <Pager
            path="/dashboard/settings"
            query=""
            isFirst={!cursor}
            nextCursor={keys.next && writeCursor(keys.next)}
          />
        </ApiKeys>
        <Policy policy={settings.leadAuthPolicy} />
        <Windows settings={settings} />
        <PaymentAccount payments={settings.payments} endpoint={`${origin}/api/v1/webhooks/stripe`} />
        <Pause isPaused={settings.isPaused} />
      </div>
    </>
  );
}

function Policy({ policy }: { policy: string }) {
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
            hint="The first signup() in the browser settles the lead. Anyone can send it, so pay for sales, not for leads."
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
            hint="How old a click may be when its lead arrives. Older clicks are unknown."
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
