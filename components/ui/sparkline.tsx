import { toLine } from './chart-scale';

const WIDTH = 120;
const HEIGHT = 28;

/** A figure over days, oldest first; one day is a level line. `label` describes it for screen readers. */
export function Sparkline({ values: given, label }: { values: readonly number[]; label: string }) {
  const values = toLine(given);
  const peak = Math.max(1, ...values);
  const step = WIDTH / (values.length - 1);
  const points = values.map((value, index) => [index * step, HEIGHT - 2 - (value / peak) * (HEIGHT - 4)] as const);
  const line = points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ');
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className="h-7 w-full text-link" preserveAspectRatio="none" role="img">
      <title>{label}</title>
      <polygon points={`0,${HEIGHT} ${line} ${WIDTH},${HEIGHT}`} fill="currentColor" opacity="0.12" />
      <polyline
        points={line}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}
