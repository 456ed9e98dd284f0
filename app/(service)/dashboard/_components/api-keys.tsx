import type { ReactNode } from 'react';
import { Badge } from '@/components/ui/badge';
import { Card } from '@/components/ui/card';
import { Code } from '@/components/ui/code';
import { SelectField, TextField } from '@/components/ui/field';
import { Cell, HeaderCell, Table, TableHead, TableRow } from '@/components/ui/table';
import { Time } from '@/components/ui/time';
import { createApiKey } from '@/lib/service/dashboard/settings-actions';
import type { ApiKeySummary, KeyAccess } from '@/lib/service/keys';
import { ActionForm } from './action-form';
import { KeyActions, KeyResults } from './key-actions';

const ACCESS: Record<KeyAccess, string> = { full: 'API and dashboard', api: 'API only', dashboard: 'Dashboard only' };

type ApiKeysProps = {
  apiKeys: ApiKeySummary[];
  /** The access that this session can grant. */
  grantable: readonly KeyAccess[];
  now: Date;
  children: ReactNode;
};

/** Creates keys, which are shown once, rotates them with an overlap, and revokes them. `children` is the pager. */
export function ApiKeys({ apiKeys, grantable, now, children }: ApiKeysProps) {
  return (
    <Card
      id="api-keys"
      title="API keys"
      description="For lead and sale calls from your server, and to sign in here. A key is shown once; replace it if it is lost."
    >
      <div className="grid gap-5">
        <KeyResults>
          <Table caption="API keys, newest first">
            <TableHead>
              <HeaderCell>Key</HeaderCell>
              <HeaderCell>Access</HeaderCell>
              <HeaderCell>Status</HeaderCell>
              <HeaderCell>Created</HeaderCell>
              <HeaderCell>Actions</HeaderCell>
            </TableHead>
            <tbody>
              {apiKeys.map((apiKey) => (
                <TableRow key={apiKey.id}>
                  <Cell isRowHeader>
                    <Code className="whitespace-nowrap">{`svc_sk_…${apiKey.last4}`}</Code>
                    {apiKey.label && <span className="block text-muted-foreground">{apiKey.label}</span>}
                  </Cell>
                  <Cell label="Access">{ACCESS[apiKey.access]}</Cell>
                  <Cell>
                    <KeyState apiKey={apiKey} now={now} />
                  </Cell>
                  <Cell label="Created">
                    <Time value={apiKey.createdAt} now={now} />
                  </Cell>
                  <Cell>
                    <KeyActions apiKey={apiKey} canRotate={grantable.includes(apiKey.access)} />
                  </Cell>
                </TableRow>
              ))}
            </tbody>
          </Table>
        </KeyResults>
        {children}
        <ActionForm action={createApiKey} submitLabel="Create key" variant="secondary">
          <div className="grid w-full gap-4 sm:grid-cols-2">
            <TextField id="label" name="label" label="Name" hint="For example, where the key is used." maxLength={60} />
            <SelectField id="access" name="access" label="Access" hint="A server only needs API access.">
              {grantable.map((access) => (
                <option key={access} value={access}>
                  {ACCESS[access]}
                </option>
              ))}
            </SelectField>
          </div>
        </ActionForm>
      </div>
    </Card>
  );
}

function KeyState({ apiKey, now }: { apiKey: ApiKeySummary; now: Date }) {
  switch (apiKey.state) {
    case 'active':
      return <Badge tone="success">Active</Badge>;
    case 'expiring':
      return (
        <>
          <Badge tone="warning">Being replaced</Badge>
          {apiKey.expiresAt && (
            <span className="mt-1 block text-muted-foreground">
              Expires <Time value={apiKey.expiresAt} now={now} isExpected />
            </span>
          )}
        </>
      );
    case 'expired':
      return <Badge>Expired</Badge>;
    case 'revoked':
      return <Badge tone="danger">Revoked</Badge>;
    default:
      return apiKey.state satisfies never;
  }
}
