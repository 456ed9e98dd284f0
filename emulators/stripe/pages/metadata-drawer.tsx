import { Badge, Callout, Disclosure, Table } from '../../core/ui';
import type { CheckoutView } from '../checkout/page';

type DrawerProps = {
  view: Pick<CheckoutView, 'mode' | 'sessionMetadata' | 'createdMetadata' | 'clientReferenceId'>;
};

/**
 * The session's metadata next to that of the subscription or payment it creates. Stripe shows neither to customers; it
 * is here because missing metadata in the second column is the most common integration mistake.
 */
export function MetadataDrawer({ view }: DrawerProps) {
  const { mode, sessionMetadata, createdMetadata: created, clientReferenceId } = view;
  const second = mode === 'payment' ? 'Payment' : 'Subscription';
  const lost = listLost(sessionMetadata, created);
  return (
    <aside class="card drawer" aria-label="What this session carries">
      <Disclosure summary="What this session carries">
        <div class="stack tight">
          <MetadataTable second={second} session={sessionMetadata} created={created} />
          {clientReferenceId && (
            <p class="small">
              <code>client_reference_id</code>: <code>{clientReferenceId}</code>
            </p>
          )}
          {lost.length > 0 && (
            <Callout tone={Object.keys(created).length === 0 ? 'warning' : 'info'}>
              <p>
                Stripe does not copy session metadata. Without it on the {second.toLowerCase()},{' '}
                {mode === 'payment' ? 'later events of the payment' : 'renewals'} do not carry {lost.join(', ')}.
              </p>
            </Callout>
          )}
        </div>
      </Disclosure>
    </aside>
  );
}

type Metadata = Readonly<Record<string, string>>;

function MetadataTable({ second, session, created }: { second: string; session: Metadata; created: Metadata }) {
  const keys = [...new Set([...Object.keys(session), ...Object.keys(created)])].sort();
  if (keys.length === 0) return <p class="muted">No metadata, neither on the session nor on what it creates.</p>;
  return (
    <Table caption="Metadata" columns={['Key', 'Session', second]}>
      {keys.map((key) => (
        <tr>
          <td class="whole">
            <code>{key}</code>
          </td>
          <td data-label="Session">
            <Value value={session[key]} />
          </td>
          <td data-label={second}>
            <Value value={created[key]} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

const Value = ({ value }: { value: string | undefined }) =>
  value === undefined ? <Badge>Not set</Badge> : <code>{value}</code>;

/** The keys that the session has and the subscription or payment that it creates will not have. */
export const listLost = (session: Metadata, created: Metadata): string[] =>
  Object.keys(session).filter((key) => !(key in created));
