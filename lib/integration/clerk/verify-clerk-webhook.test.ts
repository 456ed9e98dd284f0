import { Webhook } from 'svix';
import { describe, expect, test } from 'vitest';
import { verifyClerkWebhook } from './verify-clerk-webhook';

const secretOf = (text: string) => `whsec_${Buffer.from(text.padEnd(24, '.')).toString('base64')}`;
const current = secretOf('current');
const previous = secretOf('previous');
const body = JSON.stringify({ type: 'user.created', data: { id: 'user_1' } });

function signed(secret: string, { text = body, at = new Date(), id = 'msg_1' } = {}) {
  return new Headers({
    'svix-id': id,
    'svix-timestamp': String(Math.floor(at.getTime() / 1000)),
    'svix-signature': new Webhook(secret).sign(id, at, text),
  });
}

describe('§4, step 2: the three signature headers are verified against the shared secret', () => {
  test('a genuine webhook is the event with its message ID', () => {
    expect(verifyClerkWebhook(body, signed(current), [current])).toEqual({
      messageId: 'msg_1',
      event: JSON.parse(body),
    });
  });

  test('while you rotate the secret, the previous one is taken too', () => {
    expect(verifyClerkWebhook(body, signed(previous), [current, previous])).not.toBeNull();
    expect(verifyClerkWebhook(body, signed(previous), [current])).toBeNull();
  });

  test('the secret of another endpoint is refused', () => {
    expect(verifyClerkWebhook(body, signed(secretOf('another endpoint')), [current, previous])).toBeNull();
  });

  test('an altered body is refused', () => {
    expect(verifyClerkWebhook(body.replace('user_1', 'user_2'), signed(current), [current])).toBeNull();
  });

  test('a body that was parsed and written again is refused', () => {
    const spaced = JSON.stringify(JSON.parse(body), null, 2);
    expect(verifyClerkWebhook(spaced, signed(current), [current])).toBeNull();
  });

  test('a webhook older than five minutes, or from the future, is refused', () => {
    const minutes = (count: number) => new Date(Date.now() + count * 60_000);
    expect(verifyClerkWebhook(body, signed(current, { at: minutes(-6) }), [current])).toBeNull();
    expect(verifyClerkWebhook(body, signed(current, { at: minutes(6) }), [current])).toBeNull();
  });

  test('a replay under another message ID is refused', () => {
    const headers = signed(current);
    headers.set('svix-id', 'msg_2');
    expect(verifyClerkWebhook(body, headers, [current])).toBeNull();
  });

  test.each(['svix-id', 'svix-timestamp', 'svix-signature'])('without %s it is refused', (name) => {
    const headers = signed(current);
    headers.delete(name);
    expect(verifyClerkWebhook(body, headers, [current])).toBeNull();
  });

  test('none of 1,000 forged ones is accepted', () => {
    const genuine = signed(current).get('svix-signature') ?? '';
    for (let index = 0; index < 1000; index += 1) {
      const headers = signed(current);
      const position = 3 + (index % (genuine.length - 4));
      const letter = genuine[position] === 'A' ? 'B' : 'A';
      headers.set('svix-signature', genuine.slice(0, position) + letter + genuine.slice(position + 1));
      const text = index % 2 === 0 ? body : body.replace('user_1', `user_${index}x`);
      expect(verifyClerkWebhook(text, headers, [current])).toBeNull();
    }
  });
});
