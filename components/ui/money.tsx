import { cx } from './cx';
import { formatMoney } from './format-money';

type MoneyProps = {
  /** Integer in the currency's minor units: 1900 is $19.00, 2800 is ¥2,800. */
  amount: number;
  /** ISO 4217, in either case. */
  currency: string;
  className?: string;
};

/** An amount in its own currency; nothing is converted. */
export function Money({ amount, currency, className }: MoneyProps) {
  return <span className={cx('whitespace-nowrap tabular-nums', className)}>{formatMoney(amount, currency)}</span>;
}
