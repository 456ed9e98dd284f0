'use client';

import { createContext, type ReactNode, useContext } from 'react';
import { SubmitButton } from '@/components/ui/submit-button';
import { changePartner } from '@/lib/service/dashboard/partner-actions';
import type { PartnerSummary } from '@/lib/service/dashboard/partner-queries';
import { Outcome } from './action-form';
import { ProgramField } from './program-page';
import { useActionResult } from './use-action-result';

const Change = createContext<{ change: (form: FormData) => void; isPending: boolean } | null>(null);

/** The table of partners, with the result of its rows' actions above it. One action at a time: there is one place for results. */
export function PartnerResults({ children }: { children: ReactNode }) {
  const [result, change, isPending] = useActionResult(changePartner);
  return (
    <Change value={{ change, isPending }}>
      <div className="mb-3 not-has-[:not(:empty)]:absolute">
        <Outcome result={result} />
      </div>
      {children}
    </Change>
  );
}

/** Activates or deactivates the partner of a row, below `PartnerResults`. */
export function PartnerSwitch({ partner: { code, name, isActive } }: { partner: PartnerSummary }) {
  const row = useContext(Change);
  if (!row) return null;
  return (
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
  );
}
