import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { TextField } from './field';

test('an error is announced, and describes its field', () => {
  const html = renderToStaticMarkup(
    <TextField id="key" label="API key" hint="Starts with svc_sk_." error="Unknown." />,
  );
  expect(html).toContain('aria-describedby="key-hint key-error"');
  expect(html).toMatch(/<p id="key-error" role="alert"[^>]*>Unknown\.<\/p>/);
});

test('without an error there is no alert', () => {
  expect(renderToStaticMarkup(<TextField id="key" label="API key" error={false} />)).not.toContain('alert');
});
