import { type ReactNode, Suspense } from 'react';
import { MainFocus } from './main-focus';

type PageShellProps = {
  /** Selects the look. */
  room: 'shop' | 'service';
  header: ReactNode;
  footer?: ReactNode;
  children: ReactNode;
};

/** Skip link, header, main and footer of a room. */
export function PageShell({ room, header, footer, children }: PageShellProps) {
  return (
    <div data-room={room} className="flex min-h-dvh flex-col">
      <a
        href="#main"
        className="sr-only rounded-control bg-surface text-foreground focus:not-sr-only focus:absolute focus:top-2 focus:left-2 focus:z-10 focus:px-4 focus:py-3"
      >
        Skip to content
      </a>
      <header className="border-border border-b bg-surface">
        <div className="mx-auto max-w-6xl px-4 sm:px-6">{header}</div>
      </header>
      <main id="main" tabIndex={-1} className="mx-auto w-full max-w-6xl flex-1 px-4 py-6 outline-none sm:px-6 sm:py-8">
        {/* The path is unknown while a page with parameters is prerendered. */}
        <Suspense>
          <MainFocus />
        </Suspense>
        {children}
      </main>
      {footer && (
        <footer className="border-border border-t text-muted-foreground text-sm">
          <div className="mx-auto max-w-6xl px-4 py-6 sm:px-6">{footer}</div>
        </footer>
      )}
    </div>
  );
}
