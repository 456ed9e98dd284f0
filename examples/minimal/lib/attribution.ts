// Shared by the touch points.
import { createServerClient } from '@svc/tracker/server';

export const program = {
  programId: process.env.NEXT_PUBLIC_SVC_PROGRAM_ID ?? '',
  baseUrl: process.env.NEXT_PUBLIC_SVC_BASE_URL ?? '',
};

export const tracking = () => createServerClient({ ...program, apiKey: process.env.SVC_API_KEY ?? '' });

/** `null` when the visitor was not referred. Cookies and `unsafe_metadata` are user-controlled input. */
export const readClickId = (value: unknown): string | null =>
  typeof value === 'string' && value.length > 0 && value.length <= 255 ? value : null;

/** Contract §2. The same user ID as in the lead; the click ID is left out if there is none, never sent empty. */
export const attributionMetadata = (userId: string, clickId: string | null) => ({
  ...(clickId && { svc_click_id: clickId }),
  svc_customer_key: userId,
  program_id: program.programId,
});
