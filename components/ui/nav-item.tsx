import Link from 'next/link';
import type { ComponentProps } from 'react';
import { navItemClasses } from './link-classes';

type NavItemProps = Omit<ComponentProps<typeof Link>, 'className'> & { isCurrent: boolean };

/** A navigation link for pages whose path is known on the server. */
export function NavItem({ isCurrent, ...props }: NavItemProps) {
  return <Link {...props} aria-current={isCurrent ? 'page' : undefined} className={navItemClasses(isCurrent)} />;
}
