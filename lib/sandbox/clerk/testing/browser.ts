// A browser for tests: it keeps cookies and speaks to the sandbox's handler as clerk-js does.
import { handleClerkRequest } from '../handle-request';

/** Port 9: nobody answers there, so no webhook of a test arrives anywhere. */
export const ORIGIN = 'http://localhost:9';
export const PASSWORD = 'correct horse 42';

// biome-ignore lint/suspicious/noExplicitAny: tests read deep into JSON that they check field by field
type Json = any;

export type Reply = { status: number; body: Json; headers: Headers };

const noDelivery = () => {};

async function send(path: string, init: RequestInit): Promise<Response> {
  const url = new URL(`/sandbox/clerk${path}`, ORIGIN);
  const headers = new Headers(init.headers);
  headers.set('host', url.host);
  const segments = url.pathname.split('/').slice(3).map(decodeURIComponent);
  return handleClerkRequest(new Request(url, { ...init, headers }), segments, noDelivery);
}

async function toReply(response: Response): Promise<Reply> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json');
  return { status: response.status, body: isJson ? JSON.parse(text) : text, headers: response.headers };
}

export type Browser = ReturnType<typeof openBrowser>;

/** A browser that has never been here. */
export function openBrowser() {
  const cookies = new Map<string, string>();
  const call = async (method: string, path: string, fields: Record<string, string> = {}): Promise<Reply> => {
    const isGet = method === 'GET';
    const separator = path.includes('?') ? '&' : '?';
    const response = await send(isGet || method === 'POST' ? path : `${path}${separator}_method=${method}`, {
      method: isGet ? 'GET' : 'POST',
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(!isGet && { origin: ORIGIN, 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(!isGet && { body: new URLSearchParams(fields).toString() }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
      if (line.includes('Max-Age=0')) cookies.delete(name);
      else cookies.set(name, value);
    }
    return toReply(response);
  };
  return {
    cookies,
    get: (path: string) => call('GET', path),
    post: (path: string, fields?: Record<string, string>) => call('POST', path, fields),
    patch: (path: string, fields?: Record<string, string>) => call('PATCH', path, fields),
    remove: (path: string) => call('DELETE', path),
  };
}

/** The Backend API, as a server with the secret key calls it. */
export async function callBackend(method: string, path: string, body?: object): Promise<Reply> {
  const headers = { authorization: `Bearer ${process.env.CLERK_SECRET_KEY}`, 'content-type': 'application/json' };
  return toReply(await send(path, { method, headers, ...(body && { body: JSON.stringify(body) }) }));
}

/** A new user, signed in, in a browser of their own. */
export async function signUpUser(email: string, fields: Record<string, string> = {}) {
  const browser = openBrowser();
  const reply = await browser.post('/v1/client/sign_ups', { email_address: email, password: PASSWORD, ...fields });
  const { created_user_id: userId, created_session_id: sessionId } = reply.body.response;
  return { browser, userId: String(userId), sessionId: String(sessionId) };
}
