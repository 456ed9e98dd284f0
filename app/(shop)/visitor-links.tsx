import { NavItem, navItemClasses } from '@/components/ui/nav-item';

/** Navigation links for visitors. */
export const VisitorLinks = ({ current }: { current?: string }) => (
  <>
    <NavItem href="/pricing" isCurrent={current === '/pricing'}>
      Pricing
    </NavItem>
    {/* A document, for which Clerk renews a token that has expired: static pages have no script that does. */}
    <a href="/account" className={navItemClasses(false)}>
      Account
    </a>
  </>
);
