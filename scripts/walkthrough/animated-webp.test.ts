import { expect, test } from 'vitest';
import { animateWebp, readChunks } from './animated-webp';

// A picture of one transparent pixel, and one whose data has an odd length.
const pixel = Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64');
const size = { width: 1, height: 1 };

test('the frames are kept, in order, each with its duration', () => {
  const film = animateWebp(
    [
      { webp: pixel, milliseconds: 300 },
      { webp: pixel, milliseconds: 70_000 },
    ],
    size,
  );
  const chunks = readChunks(film);
  expect(chunks.map(({ name }) => name)).toEqual(['VP8X', 'ANIM', 'ANMF', 'ANMF']);
  const frames = chunks.filter(({ name }) => name === 'ANMF').map(({ body }) => body);
  expect(frames.map((body) => body.readUIntLE(12, 3))).toEqual([300, 70_000]);
  const [still] = readChunks(pixel);
  expect(frames.map((body) => body.subarray(24, 24 + (still?.body.length ?? 0)))).toEqual([still?.body, still?.body]);
});

test('the file says its own length', () => {
  const film = animateWebp([{ webp: pixel, milliseconds: 1 }], size);
  expect(film.readUInt32LE(4)).toBe(film.length - 8);
});

test.each([
  ['no frame', []],
  ['a frame that is no WebP picture', [{ webp: Buffer.from('not a picture'), milliseconds: 1 }]],
])('%s is refused', (_, frames) => {
  expect(() => animateWebp(frames, size)).toThrow();
});
