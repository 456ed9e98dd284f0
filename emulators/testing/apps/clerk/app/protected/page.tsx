import { auth, currentUser } from '@clerk/nextjs/server';

export default async function Protected() {
  const { userId } = await auth.protect();
  const user = await currentUser();
  return (
    <p>
      Signed in as {user?.primaryEmailAddress?.emailAddress} ({userId})
    </p>
  );
}
