'use client';

import Form from 'next/form';
import { type ComponentProps, type MouseEvent, type SubmitEvent, useEffect, useRef } from 'react';
import { Announcement } from '@/components/ui/announcement';
import { TextField } from '@/components/ui/field';
import { LinkButton } from '@/components/ui/link-button';

type FilterFormProps = ComponentProps<typeof Form> & {
  /** The query that the page shows. */
  applied: string;
};

/**
 * A form whose fields are parameters of the URL. It stays mounted and keeps the focus while its page changes. Its fields are reset
 * when the applied query changes, also by a link or the Back button, but not what was typed while the result was loading.
 */
export function FilterForm({ applied, onSubmit, ...props }: FilterFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const shown = useRef(applied);
  const submitted = useRef<string>(null);
  const remember = (event: SubmitEvent<HTMLFormElement>) => {
    onSubmit?.(event);
    submitted.current = readFields(event.currentTarget);
  };
  useEffect(() => {
    if (shown.current === applied) return;
    shown.current = applied;
    const isEdited = submitted.current !== null && form.current && readFields(form.current) !== submitted.current;
    if (!isEdited) form.current?.reset();
    submitted.current = null;
  }, [applied]);
  return <Form ref={form} onSubmit={remember} {...props} />;
}

const readFields = (form: HTMLFormElement) => JSON.stringify([...new FormData(form)]);

/** Hidden fields for what a form keeps of the URL's query. */
export const KeptFields = ({ query }: { query: string }) =>
  [...new URLSearchParams(query)].map(([name, value]) => <input key={name} type="hidden" name={name} value={value} />);

/** A day that a list can be asked for: the browser refuses others, such as the year 0026, which a half-typed date field submits. */
export const DateField = ({
  name,
  ...props
}: Omit<ComponentProps<typeof TextField>, 'id' | 'type'> & { name: string }) => (
  <TextField id={name} name={name} type="date" min="1970-01-01" max="9998-12-31" {...props} />
);

/** Clears the form around it: also what is not applied yet. Beside a search, which it disappears with, the focus goes to its field. */
export function ClearLink({ href }: { href: string }) {
  const clear = ({ currentTarget }: MouseEvent) => {
    const form = currentTarget.closest('form');
    form?.reset();
    form?.querySelector<HTMLInputElement>('[type=search]')?.focus();
  };
  return (
    <LinkButton variant="ghost" href={href} onClick={clear}>
      Clear
    </LinkButton>
  );
}

type FilterStatusProps = {
  /** The query and the page that are shown. */
  applied: string;
  noun: string;
  count: number;
  hasMore: boolean;
  /** Why nothing can match. */
  problem?: string | undefined;
};

/** What a list shows, for screen readers. A new query or page is announced even if it reads the same. */
export function FilterStatus({ applied, noun, count, hasMore, problem }: FilterStatusProps) {
  return (
    <Announcement of={applied}>
      {count} {noun}
      {count === 1 ? '' : 's'}
      {hasMore && ', and more'}
      {problem && `. ${problem}`}
    </Announcement>
  );
}
