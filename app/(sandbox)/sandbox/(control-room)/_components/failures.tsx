import type { ReactNode } from 'react';
import { Badge } from '@/components/ui/badge';
import { Card } from '@/components/ui/card';
import { Code } from '@/components/ui/code';
import { SubmitButton } from '@/components/ui/submit-button';
import { TextLink } from '@/components/ui/text-link';
import type { ProofName } from '@/lib/sandbox/control-room/proofs';
import type { SettingName } from '@/lib/sandbox/settings/settings';
import { changeSetting } from '../actions';
import { TrackerBlockerSwitch } from './tracker-blocker-switch';

type FailuresProps = {
  /** Whom the switches concern, an e-mail address; empty for everyone. */
  customer: string;
  settings: Partial<Record<SettingName, string>>;
  /** null where the tracking service cannot be taken down from here: it is not the embedded one. */
  isServiceOut: boolean | null;
  isStripeSandboxed: boolean;
};

/** Every failure that the app survives, to be switched on; each says what to watch, and which test proves it. */
export function Failures({ customer, settings, isServiceOut, isStripeSandboxed }: FailuresProps) {
  const mode = settings['deliveries.mode'];
  const asSwitch = (title: string, name: SwitchName, on: string, value = '') => (
    <FailureSwitch title={title} customer={customer} name={name} on={on} isOn={value === on} />
  );
  return (
    <Card id="failures" title="Failures" description="Switch one on, then use the shop as if nothing were wrong.">
      <ul className="grid gap-x-10 gap-y-6 lg:grid-cols-2">
        {isServiceOut !== null && (
          <Failure
            title="Tracking service down"
            proof="service-down"
            control={asSwitch('Tracking service down', 'service.outage', 'true', String(isServiceOut))}
          >
            It answers 503 to everything it takes in. Sign up: nobody is turned away, and the report waits on the{' '}
            <TextLink href="/operator">operator’s page</TextLink> until you switch the service on again.
          </Failure>
        )}
        <Failure
          title="Deliveries out of order"
          proof="out-of-order"
          control={asSwitch('Deliveries out of order', 'deliveries.mode', 'shuffled', mode)}
        >
          Buy a plan: invoice.paid may come before checkout.session.completed. The account page and the sale end up the
          same.
        </Failure>
        <Failure
          title="Deliveries doubled"
          proof="doubled"
          control={asSwitch('Deliveries doubled', 'deliveries.mode', 'duplicated', mode)}
        >
          Every event arrives twice at the same moment. Watch the <TextLink href="/dashboard/events">events</TextLink>:
          one lead, one sale.
        </Failure>
        <Failure
          title="Deliveries late"
          proof="late"
          control={asSwitch('Deliveries late', 'deliveries.delay_seconds', '30', settings['deliveries.delay_seconds'])}
        >
          Webhooks leave 30 seconds after the fact. Sign up: the welcome page does not wait for the lead, which settles
          later.
        </Failure>
        <Failure title="Tracker blocked" proof="tracker-blocked" control={<TrackerBlockerSwitch />}>
          This browser fails every request to <Code>/api/v1/track/</Code>, as one with a blocker does. Open a partner’s
          link and sign up: nobody is held up, and nothing is attributed.
        </Failure>
        {isStripeSandboxed && (
          <Failure
            title="Subscription metadata left out"
            proof="metadata-left-out"
            control={asSwitch(
              'Subscription metadata left out',
              'stripe.drop_subscription_metadata',
              'true',
              settings['stripe.drop_subscription_metadata'],
            )}
          >
            As if <Code>subscription_data.metadata</Code> were forgotten. Buy a plan, advance one month: the renewal
            stays unattributed, and its <TextLink href="/dashboard/events?kind=not_attributed">reason</TextLink> is on
            the dashboard.
          </Failure>
        )}
      </ul>
      {isStripeSandboxed && <WithoutSwitch />}
    </Card>
  );
}

/** What goes wrong at the payment itself. */
function WithoutSwitch() {
  return (
    <>
      <h3 className="mt-6 mb-2 font-semibold">Without a switch</h3>
      <ul className="grid list-disc gap-2 pl-5">
        <li>
          The card <Code>4000 0000 0000 0002</Code> is declined, and the next one pays. <Proof name="card-declined" />
        </li>
        <li>
          The card <Code>4000 0000 0000 0341</Code> pays once and fails at the renewal. <Proof name="renewal-failed" />
        </li>
        <li>
          With the card <Code>4000 0025 0000 3155</Code> the bank asks its customer first. <Proof name="bank-asks" />
        </li>
        <li>
          A bank debit is neither paid nor attributed until you advance four days. <Proof name="bank-debit" />
        </li>
      </ul>
    </>
  );
}

type SwitchName = SettingName | 'service.outage';
type FailureProps = { title: string; control: ReactNode; proof: ProofName; children: ReactNode };

function Failure({ title, control, proof, children }: FailureProps) {
  return (
    <li aria-label={title} className="grid content-start gap-1">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="font-medium">{title}</p>
        {control}
      </div>
      <p className="text-pretty text-muted-foreground">
        {children} <Proof name={proof} />
      </p>
    </li>
  );
}

function Proof({ name }: { name: ProofName }) {
  return (
    <TextLink href={`/sandbox/proof/${name}`} className="whitespace-nowrap">
      The test
    </TextLink>
  );
}

/** `on` is the setting's value that makes it fail. */
function FailureSwitch(props: { title: string; customer: string; name: SwitchName; on: string; isOn: boolean }) {
  const { title, customer, name, on, isOn } = props;
  return (
    <form action={changeSetting} className="flex flex-row-reverse items-center gap-2">
      <input type="hidden" name="name" value={name} />
      <input type="hidden" name="customer" value={customer} />
      <input type="hidden" name="value" value={isOn ? '' : on} />
      <SubmitButton variant={isOn ? 'primary' : 'secondary'} size="small">
        Switch {isOn ? 'off' : 'on'}
        <span className="sr-only"> {title}</span>
      </SubmitButton>
      {isOn && <Badge tone="warning">On</Badge>}
    </form>
  );
}
