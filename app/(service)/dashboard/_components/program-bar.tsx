import { Badge } from '@/components/ui/badge';
import { Code } from '@/components/ui/code';
import { signOut, switchDemoProgram } from '@/lib/service/dashboard/sign-in-actions';
import { BarForm } from './bar-form';

type ProgramBarProps = {
  name: string;
  id: string;
  isPaused: boolean;
  /** In the local demo, the ID of the other program. */
  other: string | null;
};

/** The current program, a switch to the demo's other one, and sign out. */
export function ProgramBar({ name, id, isPaused, other }: ProgramBarProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span className="min-w-0 wrap-anywhere text-sm">
        <span className="sr-only">Program: </span>
        {name}{' '}
        <span data-program="">
          <Code className="text-muted-foreground">{id}</Code>
        </span>
      </span>
      {isPaused && <Badge tone="warning">Paused</Badge>}
      {other && (
        <BarForm action={switchDemoProgram.bind(null, other)} label={`Switch to ${other}`} variant="secondary" />
      )}
      <BarForm action={signOut} label="Sign out" />
    </div>
  );
}
