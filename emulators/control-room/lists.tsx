// What a list says if it has no rows, or more than it shows.
import type { PropsWithChildren } from 'hono/jsx';
import { Empty } from '../core/ui';
import type { Newest } from './read';
import type { Room } from './room';

type NoRowsProps = PropsWithChildren<{
  /** In the plural. */
  noun: string;
  /** The same list without its filter; null if it has none. */
  unfiltered: string | null;
}>;

/** Says that a filter matches no rows, or that there are none yet; then the children say how to get some. */
export const NoRows = ({ noun, unfiltered, children }: NoRowsProps) =>
  unfiltered === null ? (
    <Empty title={`No ${noun} yet`}>{children}</Empty>
  ) : (
    <Empty title={`No matching ${noun}`}>
      <a href={unfiltered}>Show all {noun}</a>
    </Empty>
  );

type NewestRowsProps = PropsWithChildren<{
  room: Room;
  /** In the singular. */
  noun: string;
  list: Newest<unknown>;
  /** How to get some if there are none yet. */
  hint: string;
}>;

/** The newest rows, limited to the page's customer, as a table in the children. */
export const NewestRows = ({ room: { path, customer }, noun, list, hint, children }: NewestRowsProps) => (
  <>
    <div data-live={`${noun}s`} data-noun={noun}>
      {list.rows.length > 0 ? (
        children
      ) : (
        <NoRows noun={`${noun}s`} unfiltered={customer ? path : null}>
          {hint}
        </NoRows>
      )}
    </div>
    {/* Updated separately from the rows, which are replaced one by one. */}
    <div data-live={`more-${noun}s`}>
      {list.hasMore && (
        <p class="muted small">
          {`The newest ${list.rows.length}.${customer ? '' : ' Filter by customer to see others.'}`}
        </p>
      )}
    </div>
  </>
);
