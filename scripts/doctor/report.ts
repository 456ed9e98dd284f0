// What doctor says: one line for each check, with the reason and the next action, or one JSON document.

export type State = 'ok' | 'warning' | 'blocker';

export type Finding = {
  check: string;
  state: State;
  /** What was found. Never a secret. */
  detail: string;
  /** What to do about it. */
  action?: string;
};

export const ok = (check: string, detail: string): Finding => ({ check, state: 'ok', detail });
export const warning = (check: string, detail: string, action: string): Finding => ({
  check,
  state: 'warning',
  detail,
  action,
});
export const blocker = (check: string, detail: string, action: string): Finding => ({
  check,
  state: 'blocker',
  detail,
  action,
});

/** Something that was asked failed in an expected way. */
export class Obstacle extends Error {
  override readonly name = 'Obstacle';
  constructor(
    message: string,
    readonly action: string,
  ) {
    super(message);
  }
}

/** What a check that failed has found. */
export function explainError(check: string, error: unknown): Finding {
  if (error instanceof Obstacle) return blocker(check, error.message, error.action);
  return blocker(check, error instanceof Error ? error.message : String(error), 'See docs/going-live.md.');
}

/** Lines for people. */
export function formatFindings(findings: Finding[]): string {
  const lines = findings.map(({ check, state, detail, action }) => {
    const line = `${state.padEnd(8)} ${check}: ${detail}`;
    return action ? `${line}\n         ${action}` : line;
  });
  return [...lines, '', summarize(findings)].join('\n');
}

function summarize(findings: Finding[]): string {
  const count = (state: State) => findings.filter((finding) => finding.state === state).length;
  const [blockers, warnings] = [count('blocker'), count('warning')];
  if (blockers > 0) return `It does not work yet: ${counted(blockers, 'blocker')}, ${counted(warnings, 'warning')}.`;
  return warnings > 0 ? `It works, with ${counted(warnings, 'warning')}.` : 'It works.';
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Ends with 1 while something keeps it from working. */
export const exitStatus = (findings: Finding[]): number => (findings.some(({ state }) => state === 'blocker') ? 1 : 0);
