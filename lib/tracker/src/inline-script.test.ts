import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { buildInlineScript } from '../scripts/build-inline.mjs';
import { TRACKER_SCRIPT, TRACKER_SCRIPT_HASH } from './inline-script.ts';
import { TrackerScript } from './tracker-script.tsx';

describe('the inline script', () => {
  it('is what its source builds to: run "npm run build:inline -w @svc/tracker"', async () => {
    const committed = readFileSync(path.resolve(import.meta.dirname, 'inline-script.ts'), 'utf8');
    expect(committed).toBe((await buildInlineScript()).module);
  });

  it('has the hash that a Content-Security-Policy names', () => {
    const digest = createHash('sha256').update(TRACKER_SCRIPT).digest('base64');
    expect(TRACKER_SCRIPT_HASH).toBe(`sha256-${digest}`);
  });

  it('takes at most 800 bytes of a compressed page', () => {
    expect(brotliCompressSync(TRACKER_SCRIPT).byteLength).toBeLessThanOrEqual(800);
  });

  it('is not a text child of its element, which the server renderer of React 18 would escape', () => {
    const { props } = TrackerScript({ programId: 'prg_1' }) ?? {};
    expect(props).toMatchObject({ dangerouslySetInnerHTML: { __html: TRACKER_SCRIPT } });
    expect(props).not.toHaveProperty('children');
  });

  it.each([
    ['https://tracking.test/', 'https://tracking.test/api/v1/track/click'],
    ['//tracking.test', '//tracking.test/api/v1/track/click'],
    [undefined, '/api/v1/track/click'],
    ['/', '/api/v1/track/click'],
    ['/svc/', '/svc/click'],
  ])('with the baseUrl %s sends its click to %s', (baseUrl, url) => {
    expect(TrackerScript({ programId: 'prg_1', baseUrl })?.props).toMatchObject({ 'data-click-url': url });
  });

  it('cannot end its own element early', () => {
    expect(TRACKER_SCRIPT).not.toMatch(/<\/?script|<!--/i);
  });
});
