import { Badge } from '@/components/ui/badge';
import { Card } from '@/components/ui/card';
import { Code } from '@/components/ui/code';
import { Empty } from '@/components/ui/empty';
import { Cell, HeaderCell, Table, TableHead, TableRow } from '@/components/ui/table';
import { Time } from '@/components/ui/time';
import type { ShownUser } from '@/lib/sandbox/control-room/read-control-room';

/** Clerk's users, newest first. */
export function People({ users, now }: { users: ShownUser[]; now: Date }) {
  return (
    <Card
      id="users"
      title="Users"
      description="Clerk’s side. The click ID in unsafe_metadata is what the webhook hands on; without one the visitor was not referred."
    >
      {users.length === 0 ? (
        <Empty title="Nobody has signed up yet">
          Any e-mail address does; the code is 424242 where one is asked for.
        </Empty>
      ) : (
        <Table caption="Users, newest first" isCaptionHidden>
          <TableHead>
            <HeaderCell>User</HeaderCell>
            <HeaderCell>svc_click_id</HeaderCell>
            <HeaderCell>Signed up</HeaderCell>
          </TableHead>
          <tbody>
            {users.map((user) => (
              <TableRow key={user.id}>
                <Cell isWide className="min-w-52">
                  <span className="wrap-anywhere block">{user.email ?? 'no e-mail'}</span>
                  <Code className="text-muted-foreground">{user.id}</Code>
                </Cell>
                <Cell className="min-w-44">
                  {user.clickId ? <Code>{user.clickId}</Code> : <Badge>Not referred</Badge>}
                </Cell>
                <Cell>
                  <Time value={user.createdAt} now={now} />
                </Cell>
              </TableRow>
            ))}
          </tbody>
        </Table>
      )}
    </Card>
  );
}
