import 'server-only';
import { createHash, timingSafeEqual } from 'node:crypto';
import { appUrl, isSandboxOn, requireSandboxEnv } from '../env';
import { errorResponse, toResponse } from './answer';
import type { Call, Schedule } from './call';
import { readCookie } from './cookies';
import { ClerkError, clerkErrors } from './errors';
import { readForm } from './form';
import { readOrigin } from './origin';
import { findClient } from './queries/clients';
import { type Caller, matchRoute } from './router';
import { ROUTES } from './routes';
import { serveScript } from './scripts';

const notFound = () => new Response('Not found', { status: 404 });

/**
 * Clerk's Frontend API and Backend API, and its scripts, under `/sandbox/clerk`. 404 wherever Clerk is real.
 * `afterAnswer` runs what may happen once the answer has gone out: the delivery of webhooks.
 */
export async function handleClerkRequest(
  request: Request,
  segments: readonly string[],
  afterAnswer: Schedule,
): Promise<Response> {
  if (!isSandboxOn('clerk')) return notFound();
  if (segments[0] === 'npm') return serveScript(segments);
  try {
    return await answer(request, `/${segments.join('/')}`, afterAnswer);
  } catch (error) {
    if (error instanceof ClerkError) return errorResponse(error);
    throw error;
  }
}

async function answer(request: Request, path: string, afterAnswer: Schedule): Promise<Response> {
  const query = new URL(request.url).searchParams;
  const method = query.get('_method') ?? request.method; // browsers send every verb as a simple POST
  const match = hasNul(path, query) ? null : matchRoute(ROUTES, method, path);
  if (!match) throw clerkErrors.notFound(`${method} ${path}`);
  const origin = readOrigin(request, appUrl());
  checkCaller(match.route.caller, request, origin);
  const now = new Date();
  const token = match.route.caller === 'browser' ? readCookie(request, '__client') : null;
  const call: Call = {
    request,
    params: match.params,
    query,
    form: await readForm(request),
    origin,
    now,
    client: token ? await findClient(token, now) : null,
    cookies: [],
    afterAnswer,
  };
  try {
    return toResponse(await match.route.handle(call), call.cookies);
  } catch (error) {
    if (error instanceof ClerkError) return errorResponse(error, call.cookies);
    throw error;
  }
}

/** A server proves itself by the secret key; a browser may be on this origin only. */
function checkCaller(caller: Caller, request: Request, origin: string): void {
  if (caller === 'server') {
    const expected = `Bearer ${requireSandboxEnv('CLERK_SECRET_KEY')}`;
    if (!isEqual(request.headers.get('authorization') ?? '', expected)) throw clerkErrors.secretKeyInvalid();
    return;
  }
  const sender = request.headers.get('origin');
  if (sender !== null && sender !== origin) throw clerkErrors.originInvalid();
}

/** PostgreSQL takes no NUL, and no ID of ours holds one. */
const hasNul = (path: string, query: URLSearchParams) =>
  /\0|%00/.test(path) || [...query.values()].some((value) => value.includes('\0'));

const digest = (text: string) => createHash('sha256').update(text).digest();
const isEqual = (left: string, right: string) => timingSafeEqual(digest(left), digest(right));
