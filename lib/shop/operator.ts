import 'server-only';
import { auth } from '@clerk/nextjs/server';
import { headers } from 'next/headers';
import { notFound } from 'next/navigation';
import { z } from 'zod';
import { appEnv, readOnce, splitList } from '@/lib/integration/env';

const LOCAL_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

const operatorEnv = readOnce({
  OPERATOR_USER_IDS: z.string().default('').describe('Clerk user IDs, separated by commas'),
});

/** Redirects a signed-out visitor to sign-in; responds 404 to a user who is not an operator. */
export async function requireOperator(): Promise<void> {
  const { userId } = await auth.protect();
  const { APP_URL: appUrl } = appEnv();
  const { OPERATOR_USER_IDS: operatorUserIds } = operatorEnv();
  const request = await headers();
  const place = { appUrl, host: request.get('host'), forwardedHost: request.get('x-forwarded-host') };
  if (!isOperator({ userId, operatorUserIds, ...place })) notFound();
}

type OperatorRequest = {
  userId: string;
  operatorUserIds: string;
  appUrl: string;
  /** The request's `Host` and `X-Forwarded-Host`. */
  host: string | null;
  forwardedHost: string | null;
};

/**
 * Whether a signed-in user may act as the shop's operator: a user in the list. If the list is empty, every user may, but only on
 * your own machine: through a tunnel, anyone who signs up would be an operator.
 */
export function isOperator({ userId, operatorUserIds, appUrl, host, forwardedHost }: OperatorRequest): boolean {
  const named = splitList(operatorUserIds);
  if (named.length > 0) return named.includes(userId);
  const hosts = [new URL(appUrl).host, host ?? '', ...splitList(forwardedHost ?? '')];
  return hosts.every((name) => LOCAL_HOST.test(name));
}
