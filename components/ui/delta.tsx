import { cx } from './cx';

type DeltaProps = {
  current: number;
  previous: number;
  /** Whether a rise is good news or bad news. */
  rise?: 'good' | 'bad';
};

/** "12.5%" */
export const percent = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1, style: 'percent' });

/** "+12.5%" against the previous period, as text, shape and color. Nothing if there is no previous figure. */
export function Delta({ current, previous, rise = 'good' }: DeltaProps) {
  if (previous <= 0) return null;
  const change = Math.round(((current - previous) / previous) * 1000) / 1000; // as precise as it is shown
  if (change === 0) {
    return (
      <span className="text-muted-foreground text-sm">
        0%
        <Baseline />
      </span>
    );
  }
  const tone = change > 0 === (rise === 'good') ? 'text-success' : 'text-danger';
  return (
    <span className={cx('inline-flex items-center gap-1 whitespace-nowrap font-medium text-sm tabular-nums', tone)}>
      <svg viewBox="0 0 10 10" className="size-2.5" fill="currentColor" aria-hidden="true">
        <path d={change > 0 ? 'M5 1.5 9.5 8.5H.5Z' : 'M5 8.5.5 1.5h9Z'} />
      </svg>
      <span className="sr-only">{change > 0 ? 'Up ' : 'Down '}</span>
      {percent.format(Math.abs(change))}
      <Baseline />
    </span>
  );
}

const Baseline = () => <span className="sr-only"> compared with the previous period</span>;
