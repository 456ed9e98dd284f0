import 'server-only';
import { randomFillSync } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LENGTH = 22; // 22 × log2(62) = 131 bits: a click ID cannot be guessed (docs/decisions/0006)
const LARGEST_FAIR_BYTE = 256 - (256 % ALPHABET.length);

type IdPrefix = 'clk' | 'led' | 'sal' | 'evt' | 'prg' | 'par' | 'key';

/** Random bytes for many IDs at once: drawing them takes ten times as long as creating an ID from them. */
const drawn = Buffer.alloc(4_096);
let used = drawn.length;

function nextByte(): number {
  if (used === drawn.length) {
    randomFillSync(drawn);
    used = 0;
  }
  return drawn[used++] ?? 0;
}

/** A new unguessable ID, for example `clk_3nVq…`: letters and digits only, so that it is safe in cookies and URLs. */
export function createId(prefix: IdPrefix): string {
  let id = '';
  while (id.length < LENGTH) {
    const byte = nextByte();
    if (byte < LARGEST_FAIR_BYTE) id += ALPHABET[byte % ALPHABET.length];
  }
  return `${prefix}_${id}`;
}
