import { describe, expect, test } from 'vitest';
import { withClickId } from './use-sign-up-metadata';

const clickId = 'clk_3nVq0a9ZbYcXdWeVfUgThS';

describe('other keys of unsafe_metadata are preserved when we write ours', () => {
  test('the click joins what is there', () => {
    expect(withClickId({ theme: 'dark' }, clickId)).toEqual({ theme: 'dark', svc_click_id: clickId });
  });

  test('§4, step 1: where there is none, Clerk is sent null, and not a missing key', () => {
    expect(JSON.stringify(withClickId({ theme: 'dark' }, null))).toBe('{"theme":"dark","svc_click_id":null}');
  });
});
