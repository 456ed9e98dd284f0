// A plain handler that replaces your library, which creates the user.
import { randomUUID } from 'node:crypto';
import { afterUserCreated } from '@/lib/user-hooks';

export async function POST(request: Request): Promise<Response> {
  const form = await request.formData();
  const user = { id: randomUUID(), email: form.get('email')?.toString() ?? null };
  await afterUserCreated(user);
  return Response.json({ id: user.id }, { status: 201 });
}
