'use client';

import { type KeyboardEvent, type PointerEvent, useEffect, useState } from 'react';

type CursorPoint = { name: string; text: string; position: number; previous?: string };

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -7,
  PageUp: 7,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

/** Shows the values of one point, chosen with the pointer or, as a slider, with the arrow keys. Escape hides them. Overlays the drawing. */
export function ChartCursor({ label, points }: { label: string; points: readonly CursorPoint[] }) {
  const last = points.length - 1;
  const [chosen, setChosen] = useState<number | null>(null);
  const [isDismissed, setIsDismissed] = useState(false);
  const isShown = chosen !== null && !isDismissed;
  const index = Math.min(chosen ?? last, last);
  const point = points[index];

  // On the document: the pointer shows the values without the focus (WCAG 1.4.13).
  useEffect(() => {
    if (!isShown) return;
    const onKeyDown = ({ key }: globalThis.KeyboardEvent) => key === 'Escape' && setIsDismissed(true);
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [isShown]);

  if (!point) return null;

  const choose = (wanted: number) => {
    setChosen(Math.max(0, Math.min(last, wanted)));
    setIsDismissed(false);
  };
  const follow = (event: PointerEvent<HTMLDivElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    choose(Math.round(((event.clientX - left) / width) * last));
  };
  const step = (event: KeyboardEvent) => {
    const change = STEPS[event.key];
    if (change === undefined || event.altKey || event.ctrlKey || event.metaKey) return; // the browser's own, such as Back
    event.preventDefault();
    choose(index + change);
  };
  const share = last > 0 ? index / last : 0;
  const [before, after] = [`${share * 100}%`, `${(1 - share) * 100}%`];

  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-orientation="horizontal"
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={index}
      aria-valuetext={[`${point.name}: ${point.text}`, point.previous].filter(Boolean).join('. Previous period, ')}
      className="absolute inset-0 touch-pan-y"
      onPointerMove={follow}
      onPointerDown={follow}
      onPointerUp={({ currentTarget }) => currentTarget.focus()} // a finger leaves then, and the values stay
      onPointerLeave={({ currentTarget }) => currentTarget.matches(':focus') || setChosen(null)}
      onKeyDown={step}
      onFocus={() => {
        setChosen((pointed) => pointed ?? last);
        setIsDismissed(false);
      }}
      onBlur={() => setChosen(null)}
    >
      {isShown && (
        <div aria-hidden="true">
          <span className="absolute inset-y-0 border-border-strong border-l" style={{ left: before }} />
          <span
            className="absolute size-2.5 -translate-x-1/2 translate-y-1/2 rounded-full border-2 border-surface bg-link"
            style={{ left: before, bottom: `${point.position * 100}%` }}
          />
          <span
            className="pointer-events-none absolute top-0 z-1 mx-3 w-max rounded-control border border-border bg-surface px-3 py-2 text-foreground text-xs shadow-md"
            // On the side with more space, and no wider than it.
            style={
              share > 0.5
                ? { right: after, maxWidth: `calc(${before} - 0.75rem)` }
                : { left: before, maxWidth: `calc(${after} - 0.75rem)` }
            }
          >
            <span className="block text-muted-foreground">{point.name}</span>
            <span className="block font-semibold text-sm">{point.text}</span>
            {point.previous && <span className="block text-muted-foreground">{point.previous}</span>}
          </span>
        </div>
      )}
    </div>
  );
}
