// How far a visitor has come on the tour, from the messages that they caused. Pure: nothing is remembered, so the tour never
// contradicts what happened.
import { isMatch, type Pattern, type Tour } from '../core/profile';
import type { Message } from '../core/trace';

type Step = Tour['steps'][number];

export type TourStepState = Step & {
  /** `missed`: a later step was done without it. */
  state: 'done' | 'missed' | 'next' | 'ahead';
  /** The message that shows that it was done. */
  message: number | null;
};

export type TourState = { steps: TourStepState[]; remarks: string[]; isFinished: boolean };

/** @param messages of one visitor, oldest first */
export function readTour({ steps, remarks }: Tour, messages: readonly Message[]): TourState {
  const found = steps.map(({ done }) => messages.find((message) => isAny(message, done))?.id ?? null);
  const lastDone = found.findLastIndex((message) => message !== null);
  const states = steps.map((step, index): TourStepState => {
    const message = found[index] ?? null;
    const state = message !== null ? 'done' : index < lastDone ? 'missed' : index === lastDone + 1 ? 'next' : 'ahead';
    return { ...step, state, message };
  });
  return {
    steps: states,
    remarks: remarks.filter((remark) => applies(remark, messages)).map(({ text }) => text),
    isFinished: lastDone === steps.length - 1,
  };
}

/** Whether something happened, and nothing since has made up for it. */
function applies({ when, until }: Tour['remarks'][number], messages: readonly Message[]): boolean {
  const last = messages.findLastIndex((message) => isAny(message, when));
  return last >= 0 && !messages.slice(last + 1).some((message) => isAny(message, until));
}

const isAny = (message: Message, patterns: readonly Pattern[]): boolean =>
  patterns.some((pattern) => isMatch(message, pattern));
