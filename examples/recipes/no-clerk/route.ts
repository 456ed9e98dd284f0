// Stands in for your library, which creates the user. Do not copy it into a real app.
import { randomUUID } from 'node:crypto';
import { afterUserCreated } from '@/lib/user-hooks';

export async function POST(request: Request): Promise<Response> {
  const form = await request.formData();
  const user = { id: randomUUID(), email: form.get('email')?.toString() ?? null };
  await afterUserCreated(user);
  return Response.json({ id: user.id }, { status: 201 });
}
