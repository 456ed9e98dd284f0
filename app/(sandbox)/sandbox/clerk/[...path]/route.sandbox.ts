import { after } from 'next/server';
import { handleClerkRequest } from '@/lib/sandbox/clerk/handle-request';

type Context = { params: Promise<{ path: string[] }> };

const handle = async (request: Request, { params }: Context) => handleClerkRequest(request, (await params).path, after);

export { handle as DELETE, handle as GET, handle as PATCH, handle as POST, handle as PUT };
