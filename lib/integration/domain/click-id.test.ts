import { describe, expect, test } from 'vitest';
import { clickIdOf, parseClickId, withClickId } from './click-id';

const clickId = 'clk_3nVq0a9ZbYcXdWeVfUgThS';

describe('decision 13: a click ID from unsafe_metadata is the visitor’s own writing', () => {
  test('one of the right form is taken', () => {
    expect(clickIdOf({ svc_click_id: clickId, theme: 'dark' })).toBe(clickId);
  });

  test.each([
    ['null, as for a visitor whom nobody referred', { svc_click_id: null }],
    ['nothing', {}],
    ['no metadata at all', null],
    ['metadata that is text', clickId],
    ['a number', { svc_click_id: 42 }],
    ['an object', { svc_click_id: { toString: () => clickId } }],
    ['an array', { svc_click_id: [clickId] }],
    ['empty text', { svc_click_id: '' }],
    ['another prefix', { svc_click_id: clickId.replace('clk_', 'led_') }],
    ['something too short to be random', { svc_click_id: 'clk_1' }],
    ['something as long as a novel', { svc_click_id: `clk_${'a'.repeat(100_000)}` }],
    ['a line break at the end', { svc_click_id: `${clickId}\n` }],
    ['markup', { svc_click_id: `clk_<script>alert(1)</script>aaaa` }],
  ])('%s is no click', (_, metadata) => {
    expect(clickIdOf(metadata)).toBeNull();
  });

  test('a cookie is checked in the same way', () => {
    expect(parseClickId(clickId)).toBe(clickId);
    expect(parseClickId(undefined)).toBeNull();
  });
});

describe('decision 13: other keys are preserved when we write ours', () => {
  test('the click joins what is there', () => {
    expect(withClickId({ theme: 'dark' }, clickId)).toEqual({ theme: 'dark', svc_click_id: clickId });
  });

  test('it is null where there is none', () => {
    expect(withClickId({}, null)).toEqual({ svc_click_id: null });
  });
});
