import { auth } from '@clerk/nextjs/server';
import { Suspense } from 'react';
import { prisma } from '../../lib/db';

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
  const user = await prisma.user.findUnique({ where: { clerkId: userId } });
  return <p>Plan: {user?.plan ?? 'none'}</p>;
}
