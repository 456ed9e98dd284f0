import 'server-only';
import { auth } from '@clerk/nextjs/server';
import { notFound } from 'next/navigation';
import { decideOperator } from '@/lib/integration/domain/decide-operator';
import { appEnv } from '@/lib/integration/env';

/** Ends with sign-in for a signed-out visitor and with 404 for everybody else who is no operator. */
export async function requireOperator(): Promise<void> {
  const { userId } = await auth.protect();
  const { APP_URL: appUrl, OPERATOR_USER_IDS: operatorUserIds } = appEnv();
  if (!decideOperator({ userId, operatorUserIds, appUrl })) notFound();
}
