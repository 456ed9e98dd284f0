import type { ReactNode } from 'react';
import { cx } from './cx';

const TONES = {
  info: 'border-info bg-info-soft text-info',
  success: 'border-success bg-success-soft text-success',
  danger: 'border-danger bg-danger-soft text-danger',
} as const;

type CalloutProps = {
  tone?: keyof typeof TONES;
  title?: ReactNode;
  /** Whether the title is the page's h1. */
  isPage?: boolean;
  /** `status` or `alert` if it is the result of a user's action. */
  role?: 'status' | 'alert';
  children?: ReactNode;
};

/** A highlighted note. */
export function Callout({ tone = 'info', title, isPage = false, role, children }: CalloutProps) {
  const Title = isPage ? 'h1' : 'p';
  return (
    <div role={role} className={cx('wrap-anywhere rounded-control border-l-4 px-4 py-3', TONES[tone])}>
      {title && <Title className="font-semibold">{title}</Title>}
      {children && <div className="text-foreground">{children}</div>}
    </div>
  );
}
