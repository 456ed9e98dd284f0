import type { ReactNode } from 'react';
import { Badge } from '@/components/ui/badge';
import { Card } from '@/components/ui/card';
import { Code } from '@/components/ui/code';
import { SubmitButton } from '@/components/ui/submit-button';
import { TextLink } from '@/components/ui/text-link';
import type { Switches } from '@/lib/sandbox/control-room/read-control-room';
import { changeSetting } from '../actions';

/** Every failure that the app survives, to be switched on; each says what to watch, and which test proves it. */
export function Failures({ switches }: { switches: Switches }) {
  const mode = switches['deliveries.mode'] ?? '';
  const delay = switches['deliveries.delay_seconds'] ?? '';
  const isDropped = switches['stripe.drop_subscription_metadata'] === 'true';
  return (
    <Card id="failures" title="Failures" description="Switch one on, then use the shop as if nothing were wrong.">
      <ul className="grid gap-5">
        <Failure
          title="Deliveries out of order"
          isOn={mode === 'shuffled'}
          name="deliveries.mode"
          on="shuffled"
          proof="lib/service/payments/receive-event.db.test.ts"
        >
          Buy a plan: invoice.paid may come before checkout.session.completed. The account page and the sale end up the
          same.
        </Failure>
        <Failure
          title="Deliveries doubled"
          isOn={mode === 'duplicated'}
          name="deliveries.mode"
          on="duplicated"
          proof="e2e/inbox.spec.ts"
        >
          Every event arrives twice at the same moment. Watch the events: one lead, one sale.
        </Failure>
        <Failure
          title="Deliveries late"
          isOn={delay === '30'}
          name="deliveries.delay_seconds"
          on="30"
          proof="e2e/shop.spec.ts"
        >
          Webhooks leave 30 seconds after the fact. Sign up: the welcome page does not wait for the lead, which settles
          later.
        </Failure>
        <Failure
          title="Subscription metadata left out"
          isOn={isDropped}
          name="stripe.drop_subscription_metadata"
          on="true"
          proof="tests/contract/section-4-payment-path.test.ts"
        >
          As if <Code>subscription_data.metadata</Code> were forgotten. Buy a plan, advance one month: the renewal stays
          unattributed, and its <TextLink href="/dashboard/events?kind=not_attributed">reason</TextLink> is on the
          dashboard.
        </Failure>
      </ul>
      <h3 className="mt-6 mb-2 font-semibold">Without a switch</h3>
      <ul className="grid list-disc gap-2 pl-5">
        <li>
          Service paused: pause the program in the{' '}
          <TextLink href="/dashboard/settings#pause">dashboard’s settings</TextLink>, then open a partner’s link. No
          click is made, and signing up goes on.
        </li>
        <li>
          Tracker blocked: block requests to <Code>/api/v1/track/click</Code> in your browser’s developer tools, then
          sign up. Nobody is held up, and nothing is attributed. Test: <Code>e2e/tracker.spec.ts</Code>
        </li>
        <li>
          Cards: <Code>4000 0000 0000 0002</Code> is declined, <Code>4000 0000 0000 0341</Code> pays once and fails at
          the renewal.
        </li>
      </ul>
    </Card>
  );
}

type FailureProps = {
  title: string;
  isOn: boolean;
  name: keyof Switches;
  /** The setting's value that makes it fail. */
  on: string;
  /** The test that shows the same. */
  proof: string;
  children: ReactNode;
};

function Failure({ title, isOn, name, on, proof, children }: FailureProps) {
  return (
    <li className="grid items-start gap-x-4 gap-y-2 sm:grid-cols-[1fr_auto]">
      <div>
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {title} {isOn && <Badge tone="warning">On</Badge>}
        </p>
        <p className="text-muted-foreground">{children}</p>
        <p className="text-muted-foreground text-sm">
          Test: <Code>{proof}</Code>
        </p>
      </div>
      <form action={changeSetting}>
        <input type="hidden" name="name" value={name} />
        <input type="hidden" name="value" value={isOn ? '' : on} />
        <SubmitButton variant={isOn ? 'primary' : 'secondary'} size="small">
          Switch {isOn ? 'off' : 'on'}
          <span className="sr-only">: {title}</span>
        </SubmitButton>
      </form>
    </li>
  );
}
