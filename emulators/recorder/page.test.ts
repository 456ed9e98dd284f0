import { describe, expect, test } from 'vitest';
import { injectBar, relaxFraming } from './page';

async function inject(chunks: (string | Buffer)[]): Promise<string> {
  const stream = (async function* () {
    for (const chunk of chunks) yield Buffer.from(chunk);
  })();
  const sent: Buffer[] = [];
  for await (const chunk of injectBar(stream)) sent.push(chunk);
  return Buffer.concat(sent).toString('utf8');
}

const SCRIPT = '<script src="/__emulators/bar.js" defer></script>';

describe('the bar', () => {
  const page = '<html><body>é¥</body></html>';

  test('stands before the end of the body, wherever the stream is cut', async () => {
    const bytes = Buffer.from(page);
    for (let at = 0; at <= bytes.length; at++) {
      expect(await inject([bytes.subarray(0, at), bytes.subarray(at)])).toBe(`<html><body>é¥${SCRIPT}</body></html>`);
    }
  });

  test('is added once, and a page without an end stays as it is', async () => {
    expect((await inject([page, page])).match(/bar\.js/g)).toHaveLength(1);
    expect(await inject(['<p>a ', 'part</bo'])).toBe('<p>a part</bo');
  });
});

test('the control room may frame the app, and no one else may', () => {
  const headers = { 'content-security-policy': "default-src 'self'; frame-ancestors 'none'; base-uri 'self'" };
  expect(relaxFraming(headers, 'http://localhost:3001')).toEqual({
    'content-security-policy': "default-src 'self'; frame-ancestors 'self' http://localhost:3001; base-uri 'self'",
  });
  expect(relaxFraming({ 'x-frame-options': 'DENY' }, 'http://localhost:3001')).toEqual({ 'x-frame-options': 'DENY' });
});
