'use client';

import { useRouter } from 'next/navigation';
import { createContext, type ReactNode, useContext, useEffect } from 'react';

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
