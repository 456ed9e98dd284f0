import { expect, it } from 'vitest';
import { formatMoney, formatMoneyShort } from './format-money';

it('shows minor units as the currency counts them', () => {
  expect(formatMoney(1900, 'usd')).toBe('$19.00');
  expect(formatMoney(2800, 'jpy')).toBe('¥2,800');
  expect(formatMoney(-500, 'usd')).toBe('\u2212$5.00');
  expect(formatMoney(1500, 'BHD')).toMatch(/1\.500/);
  expect(formatMoney(-1900, 'usdc'), 'a stablecoin').toBe('USDC\u00a0\u221219.00');
});

const TWO_DECIMALS = 'afn all cop huf idr isk lak lbp mmk mro pkr sos std ugx yer'.split(' ');

it.each(TWO_DECIMALS)('counts hundredths of %s, as the payment provider does', (currency) => {
  expect(formatMoney(1_234_500, currency)).toContain('12,345.00');
});

it.each(['mga', 'xof', 'clp'])('counts whole units of %s, as the payment provider does', (currency) => {
  expect(formatMoney(1_234_500, currency)).toMatch(/1,234,500$/);
});

// part: service
it('shortens amounts on an axis', () => {
  expect(formatMoneyShort(120_000, 'usd')).toBe('$1.2K');
  expect(formatMoneyShort(280_000, 'jpy')).toBe('¥280K');
  expect(formatMoneyShort(-50_00, 'usd')).toBe('\u2212$50');
  expect(formatMoneyShort(1_234_500, 'huf')).toBe('HUF\u00a012.3K');
  expect(formatMoneyShort(0, 'usd')).toBe('$0');
});
// end: service
