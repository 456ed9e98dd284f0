import { Button } from '@/components/ui/button';
import { Code } from '@/components/ui/code';
import { findDemoKeys, requireAccess } from '@/lib/service/dashboard/session';
import { signOut, switchDemoProgram } from '@/lib/service/dashboard/sign-in-actions';

const DEMO_PROGRAMS = ['prg_demo', 'prg_open'];

/** The program that is shown, sign out, and in the local demo a switch to the other program. */
export async function ProgramMenu() {
  const access = await requireAccess();
  const isDemo = (await findDemoKeys()).length > 1;
  const other = DEMO_PROGRAMS.findIndex((programId) => programId !== access.programId);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span className="text-sm">
        <span className="sr-only">Program: </span>
        {access.programName} <Code className="text-muted-foreground">{access.programId}</Code>
      </span>
      {isDemo && (
        <form action={switchDemoProgram}>
          <input type="hidden" name="program" value={other} />
          <Button type="submit" variant="secondary" size="small">
            Switch to {DEMO_PROGRAMS[other]}
          </Button>
        </form>
      )}
      <form action={signOut}>
        <Button type="submit" variant="ghost" size="small">
          Sign out
        </Button>
      </form>
    </div>
  );
}
