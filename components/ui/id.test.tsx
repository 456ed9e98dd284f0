import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Id } from './id';

test('an ID that is shown in two parts is cut through no character', () => {
  const html = renderToStaticMarkup(<Id>{'user_ABCDEFGHIJ😀12345'}</Id>);
  expect(html.match(/(?<=>)[^<]+/g)).toEqual(['user_ABCDEFGHIJ😀', '12345']);
});
