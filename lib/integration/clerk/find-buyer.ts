import 'server-only';
import { currentUser } from '@clerk/nextjs/server';
import { cookies } from 'next/headers';
import { clickIdOf, parseClickId } from '@/lib/integration/domain/click-id';
import type { Buyer } from '@/lib/integration/stripe/customers';

/** The signed-in user, as checkout needs one, or `null`. Everything here comes from the server or is checked by it. */
export async function findBuyer(): Promise<(Buyer & { clickId: string | null }) | null> {
  const user = await currentUser();
  if (!user) return null;
  const cookie = (await cookies()).get('svc_click_id')?.value;
  return {
    userId: user.id,
    email: user.primaryEmailAddress?.emailAddress,
    // The last click counts; after a sign-in on another device there is only the one that sign-up kept.
    clickId: parseClickId(cookie) ?? clickIdOf(user.unsafeMetadata),
  };
}
