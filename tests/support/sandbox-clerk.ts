import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { handleClerkRequest } from '@/lib/sandbox/clerk/handle-request';
import { setUpClerk } from '@/lib/sandbox/clerk/testing/set-up';
import { database } from '@/prisma/client';

/** The sandbox's Backend API over HTTP, with the environment that leads Clerk's SDK to it. */
export async function startClerkBackend(): Promise<{ stop(): Promise<void> }> {
  setUpClerk();
  const server = createServer(async (request, response) => {
    const { pathname, search } = new URL(request.url ?? '', 'http://localhost');
    const headers = { authorization: request.headers.authorization ?? '' };
    const sent = new Request(`${process.env.APP_URL}${pathname}${search}`, {
      method: request.method ?? 'GET',
      headers,
    });
    const answer = await handleClerkRequest(sent, pathname.split('/').slice(3), () => {});
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(await answer.text());
  });
  await once(server.listen(0, 'localhost'), 'listening');
  process.env.CLERK_API_URL = `http://localhost:${(server.address() as AddressInfo).port}/sandbox/clerk`;
  return {
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Users who signed up one second apart, the last one at `last`; no webhook tells of them. Returns their IDs in this order. */
export async function signUpSilently(count: number, last: Date, unsafeMetadata: object): Promise<string[]> {
  const users = Array.from({ length: count }, (_, index) => {
    const createdAt = new Date(last.getTime() - (count - 1 - index) * 1000);
    return { id: `user_${randomUUID()}`, createdAt, updatedAt: createdAt, unsafeMetadata };
  });
  await database().sandboxClerkUser.createMany({ data: users });
  return users.map(({ id }) => id);
}
