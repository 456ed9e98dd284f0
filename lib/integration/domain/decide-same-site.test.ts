import { describe, expect, test } from 'vitest';
import { decideSameSite } from './decide-same-site';

const appUrl = 'https://larkdesk.example/';
const decide = (secFetchSite: string | null, origin: string | null) => decideSameSite({ secFetchSite, origin }, appUrl);

describe('a form is taken from the shop’s own pages only', () => {
  test('a browser that names the site', () => {
    expect(decide('same-origin', null)).toBe(true);
  });

  test.each(['cross-site', 'same-site', 'none'])('a form from %s is refused, whatever its origin says', (site) => {
    expect(decide(site, 'https://larkdesk.example')).toBe(false);
  });

  test('an older browser names the origin', () => {
    expect(decide(null, 'https://larkdesk.example')).toBe(true);
    expect(decide(null, 'https://larkdesk.example.evil.test')).toBe(false);
    expect(decide(null, 'http://larkdesk.example')).toBe(false);
    expect(decide(null, 'null')).toBe(false);
  });

  test('a request that names neither is refused', () => {
    expect(decide(null, null)).toBe(false);
  });
});
