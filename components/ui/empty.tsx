import type { ReactNode } from 'react';

type EmptyProps = {
  title: string;
  /** Whether the title is the page's h1. */
  isPage?: boolean;
  children?: ReactNode;
  action?: ReactNode;
};

/** An empty state: what will appear here, and what to do first. */
export function Empty({ title, isPage = false, children, action }: EmptyProps) {
  const Title = isPage ? 'h1' : 'p';
  return (
    <div className="grid justify-items-center gap-2 rounded-card border border-border-strong border-dashed px-4 py-10 text-center">
      <Title className="font-medium">{title}</Title>
      {children && <div className="max-w-prose text-pretty text-muted-foreground">{children}</div>}
      {action && <div className="mt-2">{action}</div>}
    </div>
  );
}
