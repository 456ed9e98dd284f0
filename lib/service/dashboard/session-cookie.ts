/**
 * The session's cookie. On https its name begins with `__Host-`: browsers then accept it only from this host, so that another site
 * of the same domain cannot replace it. That prefix requires `Path=/`.
 */
export function sessionCookie(appUrl: string | undefined) {
  const isSecure = appUrl?.startsWith('https:') ?? false;
  return {
    name: isSecure ? '__Host-svc_dashboard' : 'svc_dashboard',
    path: isSecure ? '/' : '/dashboard',
    secure: isSecure,
    httpOnly: true,
    sameSite: 'lax',
  } as const;
}
