import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { ProgramBar } from './program-bar';

it('every page says that a program is paused', () => {
  const show = (isPaused: boolean) =>
    renderToStaticMarkup(<ProgramBar name="Acme" id="prg_1" isPaused={isPaused} other={null} />);
  expect(show(true)).toContain('Paused');
  expect(show(false)).not.toContain('Paused');
});
