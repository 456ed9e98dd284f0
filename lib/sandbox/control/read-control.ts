import 'server-only';
import type { z } from 'zod';
import { sandboxedProviders } from '../env';

const MAX_BODY_BYTES = 16 * 1024;

export const notFoundResponse = (): Response => new Response(null, { status: 404 });

/** Whether what belongs to both may answer, such as deliveries: only while the sandbox stands in for a provider. */
export const isControlOn = (): boolean => sandboxedProviders().length > 0;

/** A control route's JSON body, or the 400 that says what is wrong with it. */
export async function readControl<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
): Promise<{ data: z.output<Schema> } | { refusal: Response }> {
  const text = await request.text();
  const json = text.length <= MAX_BODY_BYTES ? parseJson(text) : undefined;
  const parsed = schema.safeParse(json);
  if (parsed.success) return { data: parsed.data };
  const issue = parsed.error.issues[0];
  const error = `Send JSON. ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'invalid'}`;
  return { refusal: Response.json({ error, code: 'invalid_body' }, { status: 400 }) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
