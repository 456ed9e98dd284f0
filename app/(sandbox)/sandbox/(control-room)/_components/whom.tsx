import { Button } from '@/components/ui/button';
import { TextField } from '@/components/ui/field';
import { LinkButton } from '@/components/ui/link-button';

type WhomProps = {
  /** Whose world the page shows and changes, an e-mail address; empty for everyone's. */
  customer: string;
  known: readonly string[];
};

/** Chooses one customer's world. It is in the address, so that a tab can stay with somebody. */
export function Whom({ customer, known }: WhomProps) {
  return (
    <form action="/sandbox" aria-label="Whose world" className="mb-4 flex flex-wrap items-end gap-2">
      <TextField
        id="whom"
        name="customer"
        type="email"
        label="Whose world"
        list="whom-known"
        placeholder="everyone’s"
        defaultValue={customer}
        className="min-w-0 max-w-sm flex-1"
      />
      <datalist id="whom-known">
        {known.map((email) => (
          <option key={email} value={email} />
        ))}
      </datalist>
      <Button type="submit" variant="secondary">
        Show
      </Button>
      {customer && (
        <LinkButton href="/sandbox" variant="ghost">
          Everyone’s
        </LinkButton>
      )}
    </form>
  );
}
