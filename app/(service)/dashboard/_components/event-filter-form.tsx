'use client';

import type { FormEvent } from 'react';
import { Button } from '@/components/ui/button';
import { SelectField, TextField } from '@/components/ui/field';
import type { EventFilter } from '@/lib/service/dashboard/event-filter';
import { FEED_KINDS } from '@/lib/service/events/kinds';
import { EVENT_NAMES } from './event-kind';
import { ClearLink, DateField, FilterForm } from './filter-form';

const PATH = '/dashboard/events';

/** A date with wider text spacing does not fit half of a phone (WCAG 1.4.12). */
const DATE = 'max-[25rem]:col-span-full';

type EventFilterFormProps = { applied: string; filter: EventFilter; partners: string[] | null };

/** Filters in the URL, so that a view can be bookmarked and shared. The field for a click ID is shown if the URL has one. */
export function EventFilterForm({ applied, filter, partners }: EventFilterFormProps) {
  const { kind = '', mode = '', partner = '' } = filter; // keys too: a select that is reset shows its first default
  const isUnknown = partner !== '' && !partners?.includes(partner);
  return (
    <FilterForm
      action={PATH}
      applied={applied}
      aria-label="Filter events"
      onSubmit={trimFields}
      className="mb-4 grid grid-cols-2 items-end gap-3 md:grid-cols-4 xl:grid-cols-[9.5rem_6rem_7rem_1fr_minmax(9.5rem,max-content)_minmax(9.5rem,max-content)_auto]"
    >
      {filter.click && (
        <TextField
          id="click"
          name="click"
          label="Click ID"
          defaultValue={filter.click}
          className="col-span-full max-w-md"
          inputClassName="font-mono"
        />
      )}
      <SelectField key={`kind ${kind}`} id="kind" name="kind" label="Type" defaultValue={kind}>
        <option value="">All</option>
        {FEED_KINDS.map((name) => (
          <option key={name} value={name}>
            {EVENT_NAMES[name]}
          </option>
        ))}
      </SelectField>
      <SelectField key={`mode ${mode}`} id="mode" name="mode" label="Mode" defaultValue={mode}>
        <option value="">All</option>
        <option value="live">Live</option>
        <option value="test">Test</option>
      </SelectField>
      {partners ? (
        <SelectField key={`partner ${partner}`} id="partner" name="partner" label="Partner" defaultValue={partner}>
          <option value="">All</option>
          {isUnknown && <option value={partner}>{partner}</option>}
          {partners.map((code) => (
            <option key={code} value={code}>
              {code}
            </option>
          ))}
        </SelectField>
      ) : (
        <TextField id="partner" name="partner" label="Partner code" defaultValue={partner} />
      )}
      <TextField
        id="customer"
        name="customer"
        label="Customer ID"
        defaultValue={filter.customer}
        inputClassName="font-mono"
      />
      <DateField name="from" label="From (UTC)" defaultValue={filter.from} className={DATE} />
      <DateField name="to" label="To (UTC)" defaultValue={filter.to} className={DATE} />
      <div className="flex gap-2 max-md:col-span-full">
        <Button type="submit">Apply</Button>
        <ClearLink href={PATH} />
      </div>
    </FilterForm>
  );
}

/** Removes whitespace around a pasted ID. */
function trimFields({ currentTarget }: FormEvent<HTMLFormElement>) {
  for (const input of currentTarget.querySelectorAll('input')) input.value = input.value.trim();
}
