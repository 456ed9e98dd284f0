import Link from 'next/link';
import type { ComponentProps } from 'react';
import { textLinkClasses } from './link-classes';

/** A link within text. */
export function TextLink({ className, ...props }: ComponentProps<typeof Link>) {
  return <Link className={textLinkClasses(className)} {...props} />;
}
