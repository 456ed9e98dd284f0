/**
 * The session's cookie. On https its name begins with `__Host-`: a browser then takes it from this host only, so that another
 * site of the same domain cannot put a session of its own in its place. That prefix requires `Path=/`.
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
