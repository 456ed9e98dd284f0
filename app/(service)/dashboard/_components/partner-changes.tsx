'use client';

import { createContext, type ReactNode, useContext, useEffect, useId, useRef } from 'react';
import { Disclosure } from '@/components/ui/disclosure';
import { TextField } from '@/components/ui/field';
import { SubmitButton } from '@/components/ui/submit-button';
import { type ActionResult, IDLE } from '@/lib/service/dashboard/action-result';
import { changePartnerName, switchPartner } from '@/lib/service/dashboard/partner-actions';
import type { PartnerSummary } from '@/lib/service/dashboard/partner-queries';
import { Outcome } from './action-form';
import { ProgramField } from './program-page';
import { type FormAction, keepRefused, useActionResult } from './use-action-result';

type Rows = { change: (form: FormData) => void; result: ActionResult; isPending: boolean };

const Changes = createContext<Rows | null>(null);

const changePartner: FormAction = (state, form) => (form.has('name') ? changePartnerName : switchPartner)(state, form);

/** The table of partners, with the result of its rows' actions above it. One action at a time: there is one place for results. */
export function PartnerResults({ children }: { children: ReactNode }) {
  const [result, change, isPending] = useActionResult(changePartner);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (result !== IDLE) place.current?.scrollIntoView({ block: 'nearest' });
  }, [result]);
  return (
    <Changes value={{ change, result, isPending }}>
      <div ref={place} className="mb-3 not-has-[:not(:empty)]:absolute">
        <Outcome result={result} />
      </div>
      {children}
    </Changes>
  );
}

/** Activates, deactivates or renames the partner of a row, below `PartnerResults`. */
export function PartnerChanges({ partner: { code, name, isActive } }: { partner: PartnerSummary }) {
  const row = useContext(Changes);
  const nameId = useId();
  if (!row) return null;
  return (
    <div className="grid gap-2">
      <form action={row.change}>
        <ProgramField />
        <input type="hidden" name="code" value={code} />
        <input type="hidden" name="active" value={String(!isActive)} />
        <SubmitButton variant="secondary" size="small" pendingLabel="Saving…" isWaiting={row.isPending}>
          <span>
            {isActive ? 'Deactivate' : 'Activate'}
            <span className="sr-only"> {name}</span>
          </span>
        </SubmitButton>
      </form>
      <Disclosure
        summary={
          <>
            Rename<span className="sr-only"> {name}</span>
          </>
        }
      >
        <form action={row.change} onReset={keepRefused(row.result)} className="grid justify-items-start gap-2">
          <ProgramField />
          <input type="hidden" name="code" value={code} />
          <TextField id={nameId} name="name" label="Name" defaultValue={name} maxLength={60} />
          <SubmitButton variant="secondary" size="small" pendingLabel="Saving…" isWaiting={row.isPending}>
            Save
          </SubmitButton>
        </form>
      </Disclosure>
    </div>
  );
}
