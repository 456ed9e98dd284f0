import type { Answer } from './answer';
import type { Call } from './call';

export type Handler = (call: Call) => Answer | Response | Promise<Answer | Response>;

/** `browser`: the Frontend API, known by its cookie. `server`: the Backend API, known by the secret key. */
export type Caller = 'browser' | 'server';

export type Route = { method: string; pattern: string; caller: Caller; handle: Handler };

export type Match = { route: Route; params: Record<string, string> };

/** The route for this request, or null. A segment `:name` matches anything and is passed on. */
export function matchRoute(routes: readonly Route[], method: string, path: string): Match | null {
  const segments = path.split('/');
  for (const route of routes) {
    if (route.method !== method) continue;
    const params = matchPattern(route.pattern.split('/'), segments);
    if (params) return { route, params };
  }
  return null;
}

function matchPattern(pattern: readonly string[], segments: readonly string[]): Record<string, string> | null {
  if (pattern.length !== segments.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index] ?? '';
    if (part.startsWith(':')) params[part.slice(1)] = segment;
    else if (part !== segment) return null;
  }
  return params;
}
