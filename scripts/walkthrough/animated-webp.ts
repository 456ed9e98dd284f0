// Joins still WebP pictures of one size into an animated one. Chromium encodes the stills; the container is a list of chunks:
// https://developers.google.com/speed/webp/docs/riff_container

export type Frame = { webp: Buffer; milliseconds: number };
type Chunk = { name: string; body: Buffer };

const IMAGE_CHUNKS = ['ALPH', 'VP8 ', 'VP8L'];
const ANIMATION_FLAG = 0x02;
const ALPHA_FLAG = 0x10;
const LONGEST_FRAME_MS = 2 ** 24 - 1;

/** @throws if a frame is no WebP picture, or there is none */
export function animateWebp(frames: Frame[], size: { width: number; height: number }): Buffer {
  if (frames.length === 0) throw new Error('An animated picture needs at least one frame.');
  const pictures = frames.map(({ webp }) => readChunks(webp).filter(({ name }) => IMAGE_CHUNKS.includes(name)));
  if (pictures.some((chunks) => chunks.length === 0)) throw new Error('A frame is not a WebP picture.');
  const hasAlpha = pictures.flat().some(({ name }) => name === 'ALPH');
  const header = Buffer.concat([
    Buffer.from([ANIMATION_FLAG | (hasAlpha ? ALPHA_FLAG : 0), 0, 0, 0]),
    uint24(size.width - 1),
    uint24(size.height - 1),
  ]);
  const [whiteBackground, endlessLoop] = [Buffer.alloc(4, 0xff), Buffer.alloc(2)];
  const animation = pictures.map((chunks, index) => {
    const milliseconds = Math.min(Math.round(frames[index]?.milliseconds ?? 0), LONGEST_FRAME_MS);
    const place = [uint24(0), uint24(0), uint24(size.width - 1), uint24(size.height - 1)];
    return writeChunk('ANMF', Buffer.concat([...place, uint24(milliseconds), Buffer.from([0]), ...chunks.map(write)]));
  });
  const chunks = [writeChunk('VP8X', header), writeChunk('ANIM', Buffer.concat([whiteBackground, endlessLoop]))];
  return writeChunk('RIFF', Buffer.concat([Buffer.from('WEBP'), ...chunks, ...animation]));
}

/** The chunks of a WebP file. */
export function readChunks(webp: Buffer): Chunk[] {
  if (webp.toString('latin1', 0, 4) !== 'RIFF' || webp.toString('latin1', 8, 12) !== 'WEBP') return [];
  const chunks: Chunk[] = [];
  for (let at = 12; at + 8 <= webp.length; ) {
    const length = webp.readUInt32LE(at + 4);
    chunks.push({ name: webp.toString('latin1', at, at + 4), body: webp.subarray(at + 8, at + 8 + length) });
    at += 8 + length + (length % 2);
  }
  return chunks;
}

const write = ({ name, body }: Chunk) => writeChunk(name, body);

function writeChunk(name: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(body.length);
  return Buffer.concat([Buffer.from(name), length, body, Buffer.alloc(body.length % 2)]);
}

function uint24(value: number): Buffer {
  const bytes = Buffer.alloc(3);
  bytes.writeUIntLE(value, 0, 3);
  return bytes;
}
