import { cx } from './cx';

/** An ID, key or address in monospace. It breaks anywhere, so it never widens the page. */
export function Code({ children, className }: { children: string; className?: string }) {
  return <code className={cx('wrap-anywhere font-mono text-[0.8125em]', className)}>{children}</code>;
}

// part: service
/** A payload or command, scrolling in its own box. */
export function CodeBlock({ label, children }: { label: string; children: string }) {
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard (WCAG 2.1.1)
      tabIndex={0}
      aria-label={label}
      className="max-h-96 overflow-auto rounded-control border border-border bg-muted p-3"
    >
      <pre className="font-mono text-foreground text-xs leading-relaxed">{children}</pre>
    </section>
  );
}
// end: service
