import Link from 'next/link';
import type { ComponentProps } from 'react';
import { cx } from './cx';

/** A link within text. */
export function TextLink({ className, ...props }: ComponentProps<typeof Link>) {
  return <Link className={cx('text-link underline underline-offset-4 hover:no-underline', className)} {...props} />;
}
