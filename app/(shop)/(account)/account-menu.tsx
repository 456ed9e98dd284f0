'use client';

import { Show, UserButton } from '@clerk/nextjs';

/** The signed-in user's menu. Its space is reserved while Clerk loads, so that nothing moves. */
export function AccountMenu() {
  return (
    <div className="flex min-h-11 min-w-11 items-center justify-center">
      <Show when="signed-in">
        <UserButton />
      </Show>
    </div>
  );
}
