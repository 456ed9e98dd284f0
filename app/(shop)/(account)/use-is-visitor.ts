'use client';

import { useAuth } from '@clerk/nextjs';
import { usePathname, useSearchParams } from 'next/navigation';
import { useEffect, useRef, useState } from 'react';

/**
 * Redirects a visitor who was signed in when the form opened, and returns `true` for others once Clerk has loaded. The link in a
 * verification email signs a new user in, so it is left to Clerk's form, and so are its later steps, such as `/sign-up/continue`.
 * The new page is loaded as a document: Next's client cache may hold its redirect to this form, from when the token had expired.
 * @param returnUrl where a signed-in visitor goes; if it is `null` or of another origin, Clerk's form decides
 */
export function useIsVisitor(form: '/sign-in' | '/sign-up', returnUrl: string | null): boolean {
  const { isLoaded, isSignedIn } = useAuth();
  const isEmailLink = useSearchParams().has('__clerk_status');
  const isStart = usePathname().replace(/\/$/, '') === form; // `trailingSlash` of next.config
  const [isVisitor, setIsVisitor] = useState(false);
  const wasChecked = useRef(false);
  useEffect(() => {
    if (!isLoaded || wasChecked.current) return;
    wasChecked.current = true;
    const url = ownUrl(returnUrl, location.origin);
    if (isSignedIn && isStart && !isEmailLink && url) location.replace(url);
    else setIsVisitor(true);
  }, [isLoaded, isSignedIn, isStart, isEmailLink, returnUrl]);
  // Next keeps the hidden page and its state after navigation, so the next visit has to check again.
  useEffect(
    () => () => {
      wasChecked.current = false;
      setIsVisitor(false);
    },
    [],
  );
  return isVisitor;
}

/**
 * An address such as Clerk's `redirect_url`, or `null` if it is of another origin.
 * @returns a whole URL: a path that begins with `//` would lead to another host
 */
export function ownUrl(url: string | null, origin: string): string | null {
  if (!url || !URL.canParse(url, origin)) return null;
  const { href, origin: other } = new URL(url, origin);
  return other === origin ? href : null;
}
