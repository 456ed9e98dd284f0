import { expect, it } from 'vitest';
import { formatMoney, formatMoneyShort } from './format-money';

it('shows minor units as the currency counts them', () => {
  expect(formatMoney(1900, 'usd')).toBe('$19.00');
  expect(formatMoney(2800, 'jpy')).toBe('¥2,800');
  expect(formatMoney(-500, 'usd')).toBe('\u2212$5.00');
  expect(formatMoney(1500, 'BHD')).toMatch(/1\.500/);
});

it('follows the payment provider where it departs from ISO 4217', () => {
  expect(formatMoney(500, 'ugx')).toMatch(/5\.00/);
});

it('shortens amounts on an axis', () => {
  expect(formatMoneyShort(120_000, 'usd')).toBe('$1.2K');
  expect(formatMoneyShort(280_000, 'jpy')).toBe('¥280K');
  expect(formatMoneyShort(-50_00, 'usd')).toBe('\u2212$50');
  expect(formatMoneyShort(0, 'usd')).toBe('$0');
});
