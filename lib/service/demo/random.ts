const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

export type Random = {
  /** From 0 to below 1, like Math.random. */
  next(): number;
  isTrue(probability: number): boolean;
  /** An integer from `low` to `high`, both included. */
  integer(low: number, high: number): number;
  /** One of the choices, by their weights. */
  pick<Choice>(choices: ReadonlyArray<readonly [choice: Choice, weight: number]>): Choice;
  id(prefix: string, length: number): string;
};

/** The same numbers for the same seed: mulberry32. Not for secrets. */
export function createRandom(seed: number): Random {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const integer = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    integer,
    isTrue: (probability) => next() < probability,
    pick(choices) {
      let rest = next() * choices.reduce((sum, [, weight]) => sum + weight, 0);
      const found = choices.find(([, weight]) => (rest -= weight) < 0) ?? choices.at(-1);
      if (!found) throw new Error('There is nothing to choose from.');
      return found[0];
    },
    id: (prefix, length) =>
      `${prefix}_${Array.from({ length }, () => ALPHABET[integer(0, ALPHABET.length - 1)]).join('')}`,
  };
}
