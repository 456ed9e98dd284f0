import 'server-only';
import { createHash } from 'node:crypto';
import type { Store } from '../store';
import { StripeFault } from './stripe-fault';

export type Replay = { body: string; requestId: string };

/** Equal only for the same request: method, path and parameters. */
export const fingerprint = (method: string, path: string, body: string): string =>
  createHash('sha256').update(`${method} ${path}\n${body}`).digest('hex');

/**
 * Claims a key within the transaction of its request. A second request with the key waits for the first to commit and
 * gets its answer; a request that fails leaves no key behind, since its transaction does not.
 */
export async function claimKey(
  { tx }: Store,
  key: string,
  request: { fingerprint: string; requestId: string },
): Promise<Replay | null> {
  const claimed = await tx.$executeRaw`
    INSERT INTO sandbox_stripe_request (key, fingerprint, request_id)
    VALUES (${key}, ${request.fingerprint}, ${request.requestId}) ON CONFLICT (key) DO NOTHING`;
  if (claimed === 1) return null;
  const earlier = await tx.sandboxStripeRequest.findUniqueOrThrow({ where: { key } });
  if (earlier.fingerprint !== request.fingerprint) {
    throw new StripeFault(400, {
      type: 'idempotency_error',
      message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
    });
  }
  return { body: earlier.body ?? '', requestId: earlier.requestId };
}

export async function keepAnswer({ tx }: Store, key: string, body: string): Promise<void> {
  await tx.sandboxStripeRequest.update({ where: { key }, data: { body } });
}
