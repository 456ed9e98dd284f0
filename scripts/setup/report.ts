// What set-up says: a line for each step as it is done, or one JSON document at the end.
import { explainStripeFailure, isStripeFailure } from '../run-command';

type Step = {
  step: string;
  /** `planned`: what a dry run would do. */
  state: 'done' | 'planned' | 'failed';
  /** What was done, would be done, or went wrong. */
  detail: string;
  /** What to do about a failure. */
  remedy?: string;
};

/** A step has failed, which the report has said. Later steps need it, so set-up ends. */
export class StepFailed extends Error {}

export class Report {
  readonly steps: Step[] = [];

  constructor(private readonly options: { isDryRun: boolean; print: (line: string) => void }) {}

  /**
   * Does a step and reports it.
   * @param remedy what to do if it fails
   * @param work what it does; its `detail` says so in a few words. In a dry run it only looks, and the detail says what it would do
   * @throws StepFailed
   */
  async run<Result extends { detail: string }>(
    step: string,
    remedy: string,
    work: () => Promise<Result>,
  ): Promise<Result> {
    try {
      const result = await work();
      this.add({ step, state: this.options.isDryRun ? 'planned' : 'done', detail: result.detail });
      return result;
    } catch (error) {
      this.add({ step, state: 'failed', detail: describe(error), remedy });
      throw new StepFailed(step);
    }
  }

  private add(step: Step): void {
    this.steps.push(step);
    this.options.print(`${step.state.padEnd(8)}${step.step}: ${step.detail}`);
    if (step.remedy) this.options.print(`        ${step.remedy}`);
  }
}

function describe(error: unknown): string {
  if (isStripeFailure(error)) return explainStripeFailure(error);
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/\s+/g, ' ').trim();
}
