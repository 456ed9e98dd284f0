import { expect, test } from 'vitest';
import { EVENT_KINDS } from '../schemas';
import { FEED_KINDS, feedKindsOf } from './kinds';

test('a provisional lead is a lead and a renewal is a sale; the other kinds are themselves', () => {
  expect(EVENT_KINDS.map((kind) => [kind, feedKindsOf(kind)])).toEqual([
    ['click', ['click']],
    ['lead', ['provisional', 'lead']],
    ['sale', ['sale', 'renewal']],
    ['refund', ['refund']],
    ['not_attributed', ['not_attributed']],
  ]);
});

test('every entry of the feed has one kind in the events API', () => {
  expect(EVENT_KINDS.flatMap(feedKindsOf)).toEqual(FEED_KINDS);
});
