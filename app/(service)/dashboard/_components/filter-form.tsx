'use client';

import Form from 'next/form';
import { type ComponentProps, useEffect, useRef } from 'react';
import { LinkButton } from '@/components/ui/link-button';

type FilterFormProps = ComponentProps<typeof Form> & {
  /** The query that the page shows. */
  applied: string;
};

/**
 * A form whose fields are parameters of the URL. It stays mounted and keeps the focus while its page changes. Its fields are reset
 * when the applied query changes, also by a link or the Back button.
 */
export function FilterForm({ applied, ...props }: FilterFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const shown = useRef(applied);
  useEffect(() => {
    if (shown.current !== applied) form.current?.reset();
    shown.current = applied;
  }, [applied]);
  return <Form ref={form} {...props} />;
}

/** Clears the form around it, and disappears with that: the focus goes to the form's first field. */
export function ClearLink({ href }: { href: string }) {
  return (
    <LinkButton
      variant="ghost"
      href={href}
      onClick={({ currentTarget }) => currentTarget.closest('form')?.querySelector('input')?.focus()}
    >
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
};

/** What a list shows, for screen readers. A new query or page is announced even if it reads the same. */
export function FilterStatus({ applied, noun, count, hasMore }: FilterStatusProps) {
  return (
    <p role="status" className="sr-only">
      <span key={applied}>
        {count} {noun}
        {count === 1 ? '' : 's'}
        {hasMore && ', and more'}
      </span>
    </p>
  );
}
