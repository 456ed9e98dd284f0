/** The lowest and highest value of an axis, and its ticks, lowest first. */
export type Scale = { low: number; high: number; ticks: number[] };

const STEPS = [1, 2, 2.5, 5, 10];
/** The approximate number of intervals. */
const INTERVALS = 4;

/**
 * An axis that includes every value and zero, with round ticks.
 * @param smallestStep the smallest step: 1 for counts
 */
export function scaleFor(values: readonly number[], smallestStep: number): Scale {
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)];
  const raw = Math.max((most - least) / INTERVALS, smallestStep);
  const magnitude = 10 ** Math.floor(Math.log10(raw));
  const step = Math.max(smallestStep, (STEPS.find((size) => size * magnitude >= raw) ?? 10) * magnitude);
  const first = Math.floor(least / step);
  const last = Math.max(first + 1, Math.ceil(most / step));
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
  return { low: first * step, high: last * step, ticks };
}

/** The position of a value, from 0 at the bottom to 1 at the top. */
export const positionOn = ({ low, high }: Scale, value: number): number => (value - low) / (high - low);

/** The indexes of at most `count` of `length` points, evenly spread, including the first and the last. */
export function spreadIndexes(length: number, count: number): number[] {
  if (length <= count) return Array.from({ length }, (_, index) => index);
  return Array.from({ length: count }, (_, index) => Math.round((index * (length - 1)) / (count - 1)));
}

/** The values of a line, at least two: a single value becomes a level line. */
export const toLine = ([first = 0, ...others]: readonly number[]): number[] => [
  first,
  ...(others.length > 0 ? others : [first]),
];
