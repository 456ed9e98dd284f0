'use client';

import { useRouter, useSearchParams } from 'next/navigation';
import { createContext, type ReactNode, useContext, useEffect, useRef } from 'react';

const Program = createContext('');

/**
 * What a page shows of a program, and the forms that change it. Another tab may have chosen another program since: a form is then
 * refused, and the header, which stays when the page changes, is asked for again.
 */
export function ProgramPage({ programId, children }: { programId: string; children: ReactNode }) {
  const router = useRouter();
  useEffect(() => {
    const named = document.querySelector('[data-program]')?.textContent;
    if (named && named !== programId) router.refresh();
  }, [programId, router]);
  // A new query may remove the link or the row that had the focus. `MainFocus` does the same for a new path.
  const query = useSearchParams().toString();
  const shown = useRef(query);
  useEffect(() => {
    if (shown.current === query) return;
    shown.current = query;
    if (document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true });
  }, [query]);
  // The key starts the page anew for another program: nothing typed for one is saved in the other.
  return (
    <Program key={programId} value={programId}>
      {children}
    </Program>
  );
}

/** What `authorizedAction` compares with the program of the session. Part of every form that changes something. */
export function ProgramField() {
  return <input type="hidden" name="program_id" value={useContext(Program)} />;
}
