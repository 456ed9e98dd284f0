import { cx } from './cx';
import { formatMoney } from './format-money';

type MoneyProps = {
  /** Integer in the currency's minor units: 1900 is $19.00, 2800 is ¥2,800. */
  amount: number;
  /** ISO 4217, in either case. */
  currency: string;
  className?: string | undefined;
};

/** An amount in its own currency; nothing is converted. */
export function Money({ amount, currency, className }: MoneyProps) {
  return <span className={cx('whitespace-nowrap tabular-nums', className)}>{formatMoney(amount, currency)}</span>;
}

// part: service
/** An amount that was returned: negative, red, and with an arrow back, so that it does not depend on color. */
export function ReturnedMoney({ amount, currency }: Omit<MoneyProps, 'className'>) {
  return (
    <span className="inline-flex items-center gap-1 whitespace-nowrap text-danger tabular-nums">
      <svg
        viewBox="0 0 12 12"
        className="size-3"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.75"
        aria-hidden="true"
      >
        <path d="M4.5 2 1.5 5l3 3M1.5 5H8a2.5 2.5 0 0 1 0 5H6" />
      </svg>
      {formatMoney(-Math.abs(amount), currency)}
    </span>
  );
}
// end: service
