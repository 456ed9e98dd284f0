import { Button } from '@/components/ui/button';
import { TextField } from '@/components/ui/field';
import { ClearLink, FilterForm } from './filter-form';

const PATH = '/dashboard/customers';

/** Finds customers by the start of their ID or email address. The key / focuses it. */
export function CustomerSearch({ search }: { search: string }) {
  return (
    <FilterForm
      action={PATH}
      applied={search}
      role="search"
      aria-label="Search customers"
      className="mb-5 flex flex-wrap items-end gap-2"
    >
      <TextField
        id="q"
        name="q"
        type="search"
        label="Email or customer ID"
        placeholder="Starts with…"
        defaultValue={search}
        autoCapitalize="none"
        aria-keyshortcuts="/"
        className="w-full max-w-sm max-sm:flex-1"
      />
      <Button type="submit">Search</Button>
      {search && <ClearLink href={PATH} />}
    </FilterForm>
  );
}
