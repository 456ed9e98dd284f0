import { findDemoPrograms, readAccess } from '@/lib/service/dashboard/session';
import { ProgramBar } from './program-bar';

/** The program of the session. Without access, the page redirects to the sign-in page. */
export async function ProgramMenu() {
  const access = await readAccess();
  if (!access) return null;
  const { programId, programName, isPaused } = access;
  const other = (await findDemoPrograms()).find(({ id }) => id !== programId);
  return <ProgramBar name={programName} id={programId} isPaused={isPaused} other={other?.id ?? null} />;
}
