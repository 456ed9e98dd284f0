// The scenarios that run or have run since the start. They are evidence to look at, not state: memory is enough.
import { Changes } from '../core/changes';
import type { Emulator } from '../core/emulator';
import { formatMoney } from '../core/format';
import type { ScenarioRow, ShownScenario } from '../core/profile';

export type ScenarioRun = {
  steps: string[];
  visitor: { email: string; id?: string } | null;
  rows: ScenarioRow[];
  error: string | null;
  isRunning: boolean;
};

export class ScenarioRuns {
  private readonly runs = new Map<string, ScenarioRun>();
  /** The name of a scenario, at each of its steps. */
  readonly changes = new Changes<string>();

  constructor(private readonly emulator: Emulator) {}

  find = (name: string): ScenarioRun | null => this.runs.get(name) ?? null;

  /** Starts a scenario of the profile, unless it is already running. @returns false if there is none of that name */
  start(name: string): boolean {
    const { profile, scenario, appUrl, url } = this.emulator.config;
    if (!scenario || !profile.scenarios.some((known: ShownScenario) => known.name === name)) return false;
    if (this.find(name)?.isRunning) return true;
    const run: ScenarioRun = { steps: [], visitor: null, rows: [], error: null, isRunning: true };
    this.runs.set(name, run);
    const tools = {
      appUrl,
      emulatorsUrl: url,
      report: (step: string) => this.change(name, () => run.steps.push(step)),
      introduce: (visitor: { email: string; id?: string }) => this.change(name, () => Object.assign(run, { visitor })),
      formatMoney,
    };
    Promise.resolve() // also catches what a scenario throws before its first await
      .then(() => scenario(name, tools))
      .then((rows) => Object.assign(run, { rows }))
      .catch((error) => Object.assign(run, { error: error instanceof Error ? error.message : String(error) }))
      .finally(() => this.change(name, () => Object.assign(run, { isRunning: false })));
    return true;
  }

  private change(name: string, work: () => unknown): void {
    work();
    this.changes.announce(name);
  }
}
