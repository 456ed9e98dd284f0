/** §2: the lead auth policy. `server_verified` is the contract's "server-verified", the default. */
export const LEAD_AUTH_POLICIES = ['server_verified', 'browser_allowed'] as const;
export type LeadAuthPolicy = (typeof LEAD_AUTH_POLICIES)[number];

/** The provider's mode that a program's payment account is connected in (docs/decisions/0010). */
export type PaymentMode = 'live' | 'test';
