import { afterEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { ingest } from './endpoint';

afterEach(() => vi.useRealTimers());

test('a call has the time at which its body arrived: readers of the list may have passed the time at which it began', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-29T12:00:00Z') });
  const source: UnderlyingDefaultSource<Uint8Array> = {
    pull(controller) {
      vi.setSystemTime('2026-11-29T12:04:00Z');
      controller.enqueue(new TextEncoder().encode('{}'));
      controller.close();
    },
  };
  const body = new ReadableStream(source, { highWaterMark: 0 }); // nothing is sent before it is read
  const receive = ingest({
    schema: z.object({}),
    from: 'browsers',
    call: async (_, { now }) => ({ ok: true, body: { now } }),
  });
  const headers = { 'content-type': 'application/json' };
  const request = new Request('http://localhost/', { method: 'POST', headers, body, duplex: 'half' } as RequestInit);
  expect(await (await receive(request)).json()).toEqual({ now: '2026-11-29T12:04:00.000Z' });
});
