/** The one "Continue with …" provider. Its consent page is local: `app/(sandbox)/sandbox/clerk-oauth`. */
export const OAUTH_PROVIDER = { strategy: 'oauth_custom_postbox', name: 'Postbox' } as const;
