// Links for static pages: the browser loads the next page as a document. `next/link` would add 3 kB of JavaScript to every
// page that has one, for a prefetch that a page of this size does without.
import type { ComponentProps } from 'react';
import { type ButtonSize, type ButtonVariant, buttonClasses } from './button-classes';
import { navItemClasses, textLinkClasses } from './link-classes';

type AnchorProps = ComponentProps<'a'> & { href: string };

/** A link within text. */
export function PlainTextLink({ className, ...props }: AnchorProps) {
  return <a className={textLinkClasses(className)} {...props} />;
}

/** A link that looks like a button: for going somewhere, never for doing something. */
export function PlainLinkButton({
  variant = 'primary',
  size = 'default',
  className,
  ...props
}: AnchorProps & { variant?: ButtonVariant; size?: ButtonSize }) {
  return <a className={buttonClasses(variant, size, className)} {...props} />;
}

/** A link of a navigation, for pages that know where they are. */
export function PlainNavItem({ isCurrent, ...props }: Omit<AnchorProps, 'className'> & { isCurrent: boolean }) {
  return <a {...props} aria-current={isCurrent ? 'page' : undefined} className={navItemClasses(isCurrent)} />;
}
