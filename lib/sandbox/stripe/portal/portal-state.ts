/** What a portal session keeps: what the last action came to, shown once. */
export type PortalState = { notice: { tone: 'success' | 'danger'; message: string; field?: string } | null };
