import 'server-only';

/**
 * The body as text, exactly as it was sent: signatures cover the bytes, so verify first and parse after.
 * @returns `null` where it is larger than `limit` bytes; the rest is then never read, whatever Content-Length says
 */
export async function readBody(request: Request, limit: number): Promise<string | null> {
  if (Number(request.headers.get('content-length')) > limit) return null;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > limit) return null; // leaving the loop cancels the stream
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
