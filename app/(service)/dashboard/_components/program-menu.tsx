import { findDemoKeys, readAccess } from '@/lib/service/dashboard/session';
import { ProgramBar } from './program-bar';

const DEMO_PROGRAMS = ['prg_demo', 'prg_open'];

/** The program of the session. Without access, the page redirects to the sign-in page. */
export async function ProgramMenu() {
  const access = await readAccess();
  if (!access) return null;
  const { programId, programName, isPaused } = access;
  const isDemo = (await findDemoKeys()).length > 1;
  const index = DEMO_PROGRAMS.findIndex((id) => id !== programId);
  const id = DEMO_PROGRAMS[index];
  return (
    <ProgramBar name={programName} id={programId} isPaused={isPaused} other={isDemo && id ? { id, index } : null} />
  );
}
