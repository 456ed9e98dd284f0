import 'server-only';
import { auth } from '@clerk/nextjs/server';
import { notFound } from 'next/navigation';
import { z } from 'zod';
import { appEnv, readOnce, splitList } from '@/lib/integration/env';

const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

const operatorEnv = readOnce({
  OPERATOR_USER_IDS: z.string().default('').describe('Clerk user IDs, separated by commas'),
});

/** Sends a signed-out visitor to sign-in, and answers every other visitor who is not an operator with 404. */
export async function requireOperator(): Promise<void> {
  const { userId } = await auth.protect();
  const { APP_URL: appUrl } = appEnv();
  const { OPERATOR_USER_IDS: operatorUserIds } = operatorEnv();
  if (!isOperator({ userId, operatorUserIds, appUrl })) notFound();
}

/** Whether a signed-in user may act as the shop's operator: named in the list, or everyone while the app runs on your own machine. */
export function isOperator(asked: { userId: string; operatorUserIds: string; appUrl: string }): boolean {
  const named = splitList(asked.operatorUserIds);
  if (named.length > 0) return named.includes(asked.userId);
  return LOCAL_HOSTS.includes(new URL(asked.appUrl).hostname);
}
