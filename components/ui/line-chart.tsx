import { ChartCursor } from './chart-cursor';
import { positionOn, type Scale, scaleFor, spreadIndexes, toLine } from './chart-scale';
import { cx } from './cx';

type ChartPoint = {
  /** The point's label, such as a day. */
  name: string;
  value: number;
  /** The matching point of the previous period. */
  previous?: { name: string; value: number };
};

type LineChartProps = {
  /** Says what the chart shows; the name of its cursor. */
  label: string;
  points: readonly ChartPoint[];
  format: (value: number) => string;
  /** A short format for the axis. */
  formatTick: (value: number) => string;
  smallestStep: number;
};

// The drawing is stretched to its box, so its units are percent and its lines keep their width.
const SIZE = 100;
const NAMES = { narrow: 3, wide: 6 };

/** A line by days with the previous period behind it. Drawn on the server; only the cursor needs JavaScript. */
export function LineChart({ label, points, format, formatTick, smallestStep }: LineChartProps) {
  const values = points.flatMap(({ value, previous }) => (previous ? [value, previous.value] : [value]));
  const scale = scaleFor(values, smallestStep);
  const line = pathOf(
    points.map(({ value }) => value),
    scale,
  );
  const previous = points.every((point) => point.previous)
    ? pathOf(
        points.map((point) => point.previous?.value ?? 0),
        scale,
      )
    : null;
  const zero = yOf(scale, 0);
  return (
    <div className="grid grid-cols-[auto_1fr] gap-x-3 text-muted-foreground text-xs tabular-nums">
      <Ticks scale={scale} format={formatTick} />
      <div className="relative h-52 sm:h-60">
        <svg
          viewBox={`0 0 ${SIZE} ${SIZE}`}
          preserveAspectRatio="none"
          className="absolute inset-0 size-full overflow-visible"
          fill="none"
          aria-hidden="true"
        >
          {scale.ticks.map((tick) => (
            <path
              key={tick}
              d={`M0 ${yOf(scale, tick)}H${SIZE}`}
              className={tick === 0 ? 'stroke-border-strong' : 'stroke-border'}
              vectorEffect="non-scaling-stroke"
            />
          ))}
          {previous && (
            <path
              d={previous}
              className="stroke-border-strong"
              strokeWidth="1.5"
              strokeDasharray="4 4"
              vectorEffect="non-scaling-stroke"
            />
          )}
          <path d={`${line}V${zero}H0Z`} className="fill-link opacity-10" />
          <path
            d={line}
            className="stroke-link"
            strokeWidth="2"
            strokeLinejoin="round"
            vectorEffect="non-scaling-stroke"
          />
        </svg>
        <ChartCursor
          label={label}
          points={points.map(({ name, value, previous: before }) => ({
            name,
            text: format(value),
            position: positionOn(scale, value),
            ...(before && { previous: `${before.name}: ${format(before.value)}` }),
          }))}
        />
      </div>
      <Names points={points} count={NAMES.narrow} className="sm:hidden" />
      <Names points={points} count={NAMES.wide} className="max-sm:hidden" />
    </div>
  );
}

const yOf = (scale: Scale, value: number) => Number((SIZE * (1 - positionOn(scale, value))).toFixed(2));

function pathOf(given: readonly number[], scale: Scale): string {
  const values = toLine(given);
  const step = SIZE / (values.length - 1);
  return values
    .map((value, index) => `${index === 0 ? 'M' : 'L'}${(index * step).toFixed(2)} ${yOf(scale, value)}`)
    .join('');
}

function Ticks({ scale, format }: { scale: Scale; format: (value: number) => string }) {
  return (
    <div className="flex flex-col-reverse justify-between" aria-hidden="true">
      {scale.ticks.map((tick) => (
        <span key={tick} className="h-0 text-right leading-none -translate-y-1.5">
          {format(tick)}
        </span>
      ))}
    </div>
  );
}

function Names({ points, count, className }: { points: readonly ChartPoint[]; count: number; className: string }) {
  return (
    <div className={cx('col-start-2 mt-2 flex justify-between', className)} aria-hidden="true">
      {spreadIndexes(points.length, count).map((index) => (
        <span key={index}>{points[index]?.name.replace(/ \d{4}$/, '')}</span>
      ))}
    </div>
  );
}
