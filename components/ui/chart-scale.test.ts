import { describe, expect, it } from 'vitest';
import { positionOn, scaleFor, spreadIndexes } from './chart-scale';

describe('an axis', () => {
  it('has round ticks from zero to above the highest value', () => {
    expect(scaleFor([3, 87, 41], 1).ticks).toEqual([0, 25, 50, 75, 100]);
    expect(scaleFor([38_700], 1).ticks).toEqual([0, 10_000, 20_000, 30_000, 40_000]);
  });

  it('goes below zero where a value does', () => {
    expect(scaleFor([-30, 60], 1).ticks).toEqual([-50, -25, 0, 25, 50, 75]);
    expect(positionOn(scaleFor([-30, 60], 1), -50)).toBe(0);
  });

  it('has a height where everything is zero, and no steps between what is counted', () => {
    expect(scaleFor([0, 0], 1).ticks).toEqual([0, 1]);
    expect(scaleFor([], 1).ticks).toEqual([0, 1]);
    expect(scaleFor([2], 1).ticks).toEqual([0, 1, 2]);
  });
});

it('labels the first and the last of many points, and all of few', () => {
  expect(spreadIndexes(28, 4)).toEqual([0, 9, 18, 27]);
  expect(spreadIndexes(3, 4)).toEqual([0, 1, 2]);
});
