/** The one "Continue with …" provider. Its consent page is local: `app/(sandbox)/sandbox/clerk-oauth`. */
export const OAUTH_PROVIDER = { strategy: 'oauth_custom_postbox', name: 'Postbox' } as const;

const VISIT_MINUTES = 10;

/** Until when the person may take over the consent page. */
export const visitExpiresAt = (visit: { createdAt: Date }) =>
  new Date(visit.createdAt.getTime() + VISIT_MINUTES * 60_000);
