'use client';

import { createContext, type ReactNode, useContext } from 'react';

const Program = createContext('');

/** The program that the forms below it change: the one that the page shows, which another tab may have left since. */
export function ProgramForms({ programId, children }: { programId: string; children: ReactNode }) {
  return <Program value={programId}>{children}</Program>;
}

/** What `authorizedAction` compares with the program of the session. Part of every form that changes something. */
export function ProgramField() {
  return <input type="hidden" name="program_id" value={useContext(Program)} />;
}
