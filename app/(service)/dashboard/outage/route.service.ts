import { z } from 'zod';
import { isSameOrigin } from '@/lib/service/dashboard/same-origin';
import { isLocalDemo } from '@/lib/service/dashboard/session';
import { listOutages, setOutage } from '@/lib/service/outage';

const change = z.object({ about: z.string().max(320).default(''), is_out: z.boolean() });

/** For whom the service is down, where it runs as a local demo; there is no such address anywhere else. */
export async function GET(): Promise<Response> {
  if (!(await isLocalDemo())) return new Response(null, { status: 404 });
  return Response.json({ outages: listOutages() }, { headers: { 'cache-control': 'no-store' } });
}

/** `{"is_out": true, "about"?: "an e-mail address"}`: takes the service down on request. docs/decisions/0085 */
export async function POST(request: Request): Promise<Response> {
  if (!((await isLocalDemo()) && (await isSameOrigin()))) return new Response(null, { status: 404 });
  const parsed = change.safeParse(await request.json().catch(() => null));
  if (!parsed.success) return Response.json({ error: 'Send {"is_out": true}.', code: 'invalid_body' }, { status: 400 });
  setOutage(parsed.data.about, parsed.data.is_out);
  return Response.json({ success: true });
}
