// A session of the portal with `flow_data`: one step, without the rest of the portal.
import { Button, Callout, Money, SelectField } from '../../core/ui';
import type { PortalView } from '../portal';
import { CardFields, TestCards } from './card-fields';
import { HostedPage } from './checkout';
import { every } from './order-summary';
import { ActionForm, PortalBack, priceOf } from './portal';

type FlowProps = { id: string; view: PortalView; appName: string };
type StepProps = FlowProps & { flow: NonNullable<PortalView['flow']> };

export function FlowPage({ id, view, appName }: FlowProps) {
  const { flow, notice } = view;
  if (!flow) return null;
  return (
    <HostedPage title="Billing portal" part="billing portal">
      <PortalBack view={view} appName={appName} />
      {notice && !notice.field && (
        <Callout tone={notice.tone} role="alert">
          <p>{notice.message}</p>
        </Callout>
      )}
      <div class="stack half">
        <Step id={id} view={view} appName={appName} flow={flow} />
      </div>
    </HostedPage>
  );
}

function Step(props: StepProps) {
  switch (props.flow.type) {
    case 'payment_method_update':
      return <CardStep {...props} />;
    case 'subscription_cancel':
      return <CancelStep {...props} />;
    case 'subscription_update':
      return <UpdateStep {...props} />;
    default:
      return <ConfirmStep {...props} />;
  }
}

function CardStep({ id, view: { notice } }: StepProps) {
  const errorOf = (field: string) => (notice?.field === field ? notice.message : undefined);
  return (
    <>
      <h1>Add a payment method</h1>
      <ActionForm id={id} subscription="" action="replace_card_of_customer">
        <div class="stack">
          <CardFields typed={notice?.typed} errorOf={errorOf} />
          <Button>Save card</Button>
          <TestCards />
        </div>
      </ActionForm>
    </>
  );
}

const CancelStep = ({ id, view: { allows }, flow: { subscription } }: StepProps) => (
  <>
    <h1>Cancel {subscription?.price.name}?</h1>
    <p>{allows.cancelAtPeriodEnd ? 'It stays active until the end of the period.' : 'It ends at once.'}</p>
    <ActionForm
      id={id}
      subscription={subscription?.id ?? ''}
      action={allows.cancelAtPeriodEnd ? 'cancel_at_period_end' : 'cancel_now'}
    >
      <Button variant="danger">Cancel subscription</Button>
    </ActionForm>
  </>
);

const UpdateStep = ({ id, flow: { subscription } }: StepProps) => (
  <>
    <h1>Update {subscription?.price.name}</h1>
    <ActionForm id={id} subscription={subscription?.id ?? ''} action="change_plan">
      <div class="stack">
        <SelectField id="price" name="price" label="Change to">
          {subscription?.otherPrices.map((other) => (
            <option value={other.id}>{`${other.name}, ${priceOf(other)}`}</option>
          ))}
        </SelectField>
        <Button>Change plan</Button>
      </div>
    </ActionForm>
  </>
);

const ConfirmStep = ({ id, flow: { subscription, to } }: StepProps) => (
  <>
    <h1>Confirm your update</h1>
    {to && (
      <p>
        {to.quantity} × {to.price.name}, <Money amount={to.price.amount * to.quantity} currency={to.price.currency} />{' '}
        {every(to.price)}
      </p>
    )}
    <ActionForm id={id} subscription={subscription?.id ?? ''} action="confirm_update">
      <Button>Confirm</Button>
    </ActionForm>
  </>
);
