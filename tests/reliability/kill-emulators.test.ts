import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { Webhook } from 'svix';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startEmulators } from '../../scripts/emulators.mjs';
import { freePort } from '../../scripts/ports.mjs';

// kill -9 of the emulators while users sign up: a user who was created is there, and the webhook arrives under one ID.

const CYCLES = Number(process.env.KILL_CYCLES ?? 3);

type Emulators = Awaited<ReturnType<typeof startEmulators>>;

let directory: string;
let receiver: Server;
let emulators: Emulators;
let restart: () => Promise<Emulators>;
/** The message IDs under which each user's `user.created` arrived, verified. */
const arrived = new Map<string, Set<string>>();

beforeAll(async () => {
  directory = mkdtempSync(path.join(tmpdir(), 'emulators-'));
  receiver = createServer(async (request, response) => {
    const body = await text(request).catch(() => null);
    if (body === null) return; // the sender was killed
    const secret = emulators.variables.CLERK_WEBHOOK_SIGNING_SECRET ?? '';
    const { type, data } = new Webhook(secret).verify(body, request.headers as Record<string, string>) as {
      type: string;
      data: { id: string };
    };
    const messages = arrived.get(data.id) ?? new Set();
    if (type === 'user.created') arrived.set(data.id, messages.add(String(request.headers['svix-id'])));
    response.end('{}');
  });
  await once(receiver.listen(0, 'localhost'), 'listening');
  const appUrl = `http://localhost:${(receiver.address() as AddressInfo).port}`;
  const emulatorsPort = await freePort('localhost');
  const env = { ...process.env, CLERK_SECRET_KEY: '', NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY: '', STRIPE_SECRET_KEY: '' };
  restart = () =>
    startEmulators(env, { appUrl, ports: { port: 0, appPort: 0, emulatorsPort }, directory, isRecorded: false });
  emulators = await restart();
});
afterAll(async () => {
  await emulators?.stop();
  receiver?.close();
  rmSync(directory, { recursive: true, force: true });
});

async function createUser(): Promise<string> {
  const response = await fetch(`${emulators.variables.CLERK_API_URL}/v1/users`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${emulators.variables.CLERK_SECRET_KEY}`,
      'content-type': 'application/json',
      connection: 'close',
    },
    body: JSON.stringify({ email_address: [`${randomUUID()}@example.com`], password: randomUUID() }),
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return ((await response.json()) as { id: string }).id;
}

test(`users whose creation was acknowledged before ${CYCLES} kills are there, and each webhook arrives under one ID`, async () => {
  const created: string[] = [];
  for (let cycle = 0; cycle < CYCLES; cycle++) {
    const before = created.length;
    const target = before + 3 + Math.floor(Math.random() * 8);
    let isUp = true;
    const workers = Array.from({ length: 4 }, async () => {
      while (isUp) {
        const id = await createUser().catch(() => null);
        if (id) created.push(id);
      }
    });
    await vi.waitUntil(() => created.length >= target, { timeout: 60_000, interval: 5 });
    process.kill(emulators.pid, 'SIGKILL');
    await emulators.ended;
    isUp = false;
    await Promise.all(workers);
    emulators = await restart();
  }
  expect(created.length).toBeGreaterThan(CYCLES * 3);
  for (const id of created) {
    const response = await fetch(`${emulators.variables.CLERK_API_URL}/v1/users/${id}`, {
      headers: { authorization: `Bearer ${emulators.variables.CLERK_SECRET_KEY}` },
    });
    expect(response.status, id).toBe(200);
  }
  await vi.waitUntil(() => created.every((id) => arrived.has(id)), { timeout: 90_000, interval: 100 });
  expect(created.filter((id) => arrived.get(id)?.size !== 1)).toEqual([]);
  expect(new Set(created).size).toBe(created.length);
});
