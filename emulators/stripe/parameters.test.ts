import { describe, expect, test } from 'vitest';
import { metadata, parseForm } from './parameters';

describe('form bodies', () => {
  test('nested objects and indexed arrays are read as they were sent', () => {
    const form = parseForm('line_items[0][price]=price_1&line_items[0][quantity]=2&metadata[a]=b%20c&expand[]=x');
    expect(JSON.parse(JSON.stringify(form))).toEqual({
      line_items: [{ price: 'price_1', quantity: '2' }],
      metadata: { a: 'b c' },
      expand: ['x'],
    });
  });

  test('more than twenty entries and more than five levels are kept', () => {
    const text = Array.from({ length: 30 }, (_, index) => `items[${index}]=${index}`).join('&');
    expect(parseForm(text).items).toHaveLength(30);
    expect(JSON.stringify(parseForm('a[b][c][d][e][f][g]=1'))).toBe('{"a":{"b":{"c":{"d":{"e":{"f":{"g":"1"}}}}}}}');
  });

  test('a key of metadata may be a number', () => {
    expect(metadata.parse(parseForm('metadata[2]=a&metadata[7]=b').metadata)).toEqual({ 2: 'a', 7: 'b' });
  });

  test('a key named __proto__ changes no prototype', () => {
    parseForm('__proto__[polluted]=1&constructor[prototype][polluted]=1');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});
