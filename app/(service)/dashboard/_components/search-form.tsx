import { Button } from '@/components/ui/button';
import { TextField } from '@/components/ui/field';
import { ClearLink, FilterForm, KeptFields } from './filter-form';

type SearchFormProps = {
  /** The page. */
  path: '/dashboard/customers' | '/dashboard/partners';
  noun: string;
  /** What is searched. */
  label: string;
  search: string;
  /** What a search keeps of the URL's query; empty for nothing. */
  kept?: string;
};

/** Finds the rows of a list by the beginning of a text. The key / focuses it. */
export function SearchForm({ path, noun, label, search, kept = '' }: SearchFormProps) {
  return (
    <FilterForm
      action={path}
      applied={search}
      role="search"
      aria-label={`Search ${noun}s`}
      className="mb-5 flex flex-wrap items-end gap-2"
    >
      <KeptFields query={kept} />
      <TextField
        id="q"
        name="q"
        type="search"
        label={label}
        placeholder="Starts with…"
        defaultValue={search}
        autoCapitalize="none"
        aria-keyshortcuts="/"
        className="w-full max-w-sm max-sm:flex-1"
      />
      <Button type="submit">Search</Button>
      {search && <ClearLink href={kept ? `${path}?${kept}` : path} />}
    </FilterForm>
  );
}

type SearchEndProps = { noun: string; count: number; isPartial: boolean };

/** Shown below the results if a search found more than fits on the page. */
export const SearchEnd = ({ noun, count, isPartial }: SearchEndProps) =>
  isPartial && (
    <p className="mt-4 text-muted-foreground">
      Showing the first {count} {noun}s. Type more to narrow the search.
    </p>
  );
