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
  /** `status` or `alert` if it is the result of a user's action. */
  role?: 'status' | 'alert';
  children?: ReactNode;
};

/** A highlighted note. */
export function Callout({ tone = 'info', title, role, children }: CalloutProps) {
  return (
    <div role={role} className={cx('wrap-anywhere rounded-control border-l-4 px-4 py-3', TONES[tone])}>
      {title && <p className="font-semibold">{title}</p>}
      {children && <div className="text-foreground">{children}</div>}
    </div>
  );
}
