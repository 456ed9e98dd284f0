import { expect, test, vi } from 'vitest';
import { WEBHOOK_LIMIT_BYTES } from '@/lib/service/http/read-body';
import { POST } from './route.service';

test('a payment event that is too large is refused, and the log says so: after three days its sale would be lost', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  const headers = { 'x-request-id': 'request-1' };
  const body = ' '.repeat(WEBHOOK_LIMIT_BYTES + 1);
  const response = await POST(new Request('https://track.example/', { method: 'POST', headers, body }));
  expect(response.status).toBe(413);
  const line =
    'service: a payment event was refused: its body was not read code="body_too_large" request_id="request-1"';
  expect(warn.mock.calls).toEqual([[line]]);
});
