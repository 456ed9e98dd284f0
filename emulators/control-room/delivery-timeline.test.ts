import { expect, test } from 'vitest';
import { positionsOf } from './delivery-timeline';

const delivery = (id: string, url: string, second: number | null) => ({
  ...{ id, url },
  attempts:
    second === null
      ? []
      : [
          {
            ...{ attempted_at: new Date(second * 1000).toISOString(), duration_ms: 5, request_headers: {} },
            ...{ response_status: 200, response_body: null, error: null },
          },
        ],
});

test('webhooks are numbered for each endpoint: another endpoint that is later or earlier is no disorder', () => {
  const positions = positionsOf([
    delivery('a', 'http://localhost/slow', 5),
    delivery('b', 'http://localhost/quick', 1),
    delivery('c', 'http://localhost/slow', 6),
    delivery('d', 'http://localhost/quick', null),
    delivery('e', 'http://localhost/quick', 0),
  ]);
  expect(Object.fromEntries(positions)).toEqual({
    a: { created: 1, arrived: 1 },
    b: { created: 1, arrived: 2 },
    c: { created: 2, arrived: 2 },
    d: { created: 2, arrived: undefined },
    e: { created: 3, arrived: 1 },
  });
});
