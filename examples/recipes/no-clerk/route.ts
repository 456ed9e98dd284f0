// Stands in for your library, which sends links and creates the user. Do not copy it into a real app.
import { randomUUID } from 'node:crypto';
import { cookies } from 'next/headers';
import { afterUserCreated } from '@/lib/user-hooks';

const links = new Map<string, { email: string | null; clickId: string | undefined }>();

/** Sends a link: the response has its token. The click ID is stored with the link, not with the address. */
export async function PUT(request: Request): Promise<Response> {
  const form = await request.formData();
  const [token, email] = [randomUUID(), form.get('email')?.toString() ?? null];
  links.set(token, { email, clickId: (await cookies()).get('svc_click_id')?.value });
  return Response.json({ token }, { status: 201 });
}

/** Signs up, with the token of a link that was opened, or without one. */
export async function POST(request: Request): Promise<Response> {
  const form = await request.formData();
  const link = links.get(form.get('token')?.toString() ?? '');
  const user = { id: randomUUID(), email: link?.email ?? form.get('email')?.toString() ?? null };
  await afterUserCreated(user, link?.clickId);
  return Response.json({ id: user.id }, { status: 201 });
}
