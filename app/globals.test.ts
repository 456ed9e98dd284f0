import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const css = readFileSync(path.join(import.meta.dirname, 'globals.css'), 'utf8');

const AA_TEXT = 4.5;
const AA_CONTROL = 3;

const TEXT_ON_SURFACES: ReadonlyArray<readonly [text: string, ...surfaces: string[]]> = [
  ['foreground', 'background', 'surface', 'muted'],
  ['muted-foreground', 'background', 'surface', 'muted'],
  ['link', 'background', 'surface', 'muted'],
  ['primary-foreground', 'primary', 'primary-hover'],
  ...['success', 'warning', 'danger', 'info'].map((tone) => [tone, `${tone}-soft`, 'background', 'surface'] as const),
  ...['success', 'warning', 'danger', 'info'].map((tone) => ['foreground', `${tone}-soft`] as const),
];

/** The tokens of the rule whose selector contains `selector`, for one scheme. */
function readTokens(selector: string, scheme: 'light' | 'dark'): Record<string, string> {
  const start = css.indexOf('{', css.indexOf(selector));
  const block = css.slice(start, css.indexOf('}', start));
  const pairs = block.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g);
  return Object.fromEntries(Array.from(pairs, ([, name, light, dark]) => [name, scheme === 'light' ? light : dark]));
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((index) => {
    const channel = Number.parseInt(hex.slice(index, index + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** WCAG 2's contrast ratio. */
function contrast(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

describe.each(['shop', 'service'])('the %s room', (room) => {
  describe.each(['light', 'dark'] as const)('in the %s scheme', (scheme) => {
    const tokens = { ...readTokens(':root {', scheme), ...readTokens(`[data-room="${room}"] {`, scheme) };
    const ratio = (one: string, other: string) => contrast(tokens[one] ?? '', tokens[other] ?? '');

    it('gives text a contrast of 4.5 on every surface it stands on', () => {
      for (const [text, ...surfaces] of TEXT_ON_SURFACES) {
        for (const surface of surfaces) {
          expect(ratio(text, surface), `${text} on ${surface}`).toBeGreaterThanOrEqual(AA_TEXT);
        }
      }
    });

    it("gives a control's outline a contrast of 3", () => {
      expect(ratio('border-strong', 'surface')).toBeGreaterThanOrEqual(AA_CONTROL);
      expect(ratio('border-strong', 'background')).toBeGreaterThanOrEqual(AA_CONTROL);
    });
  });
});
