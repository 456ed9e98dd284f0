import { auth } from '@clerk/nextjs/server';
import { Suspense } from 'react';
import { isEntitled } from '@/lib/integration/stripe/entitlement';
import { findEntitlement } from '@/lib/integration/stripe/holdings';

export default function Account() {
  return (
    <main>
      <h1>Account</h1>
      <Suspense>
        <Plan />
      </Suspense>
    </main>
  );
}

async function Plan() {
  const { userId } = await auth.protect();
  const entitlement = await findEntitlement(userId);
  return <p>Plan: {entitlement && isEntitled(entitlement) ? entitlement.plan : 'none'}</p>;
}
