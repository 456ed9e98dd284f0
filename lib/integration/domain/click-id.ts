/** What the tracking service makes: the prefix and at least 120 random bits. Change it where your service's IDs differ. */
const CLICK_ID = /^clk_[A-Za-z0-9_-]{20,64}$/;

/** The click ID in `value`, or `null`. Cookies and `unsafe_metadata` are the visitor's own writing: any type, any size. */
export function parseClickId(value: unknown): string | null {
  return typeof value === 'string' && CLICK_ID.test(value) ? value : null;
}

/** The click ID that sign-up left in a user's `unsafe_metadata`, or `null`. */
export function clickIdOf(unsafeMetadata: unknown): string | null {
  if (typeof unsafeMetadata !== 'object' || unsafeMetadata === null) return null;
  return parseClickId((unsafeMetadata as { svc_click_id?: unknown }).svc_click_id);
}

/** `metadata` with the click in it. Clerk replaces the whole object, so the other keys travel with it. */
export function withClickId<Metadata extends object>(metadata: Metadata, clickId: string | null) {
  return { ...metadata, svc_click_id: clickId };
}
