import Link from 'next/link';
import type { ComponentProps } from 'react';
import { cx } from './cx';

type NavItemProps = Omit<ComponentProps<typeof Link>, 'className'> & { isCurrent: boolean };

export const navItemClasses = (isCurrent: boolean) =>
  cx(
    'relative inline-flex min-h-11 items-center whitespace-nowrap rounded-control px-2 font-medium no-underline sm:px-3',
    isCurrent
      ? 'text-foreground [scroll-initial-target:nearest] after:absolute after:inset-x-2 after:bottom-0.5 after:border-b-2 sm:after:inset-x-3'
      : 'text-muted-foreground hover:bg-muted',
  );

/** A navigation link for pages whose path is known on the server. */
export function NavItem({ isCurrent, ...props }: NavItemProps) {
  return <Link {...props} aria-current={isCurrent ? 'page' : undefined} className={navItemClasses(isCurrent)} />;
}
