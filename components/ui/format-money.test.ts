import { expect, it } from 'vitest';
import { formatMoney } from './format-money';

it('shows minor units as the currency counts them', () => {
  expect(formatMoney(1900, 'usd')).toBe('$19.00');
  expect(formatMoney(2800, 'jpy')).toBe('¥2,800');
  expect(formatMoney(1500, 'BHD')).toMatch(/1\.500/);
});

it('follows the payment provider where it departs from ISO 4217', () => {
  expect(formatMoney(500, 'ugx')).toMatch(/5\.00/);
});
