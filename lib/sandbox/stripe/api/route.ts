import type { z } from 'zod';
import type { Store } from '../store';
import { toFault } from './parameters';
import { invalidRequest } from './stripe-fault';

export type Method = 'GET' | 'POST' | 'DELETE';

/** One line of the API: a method, a path with `:names`, its parameters, and what it does. */
export type Route = {
  method: Method;
  path: string;
  run: (store: Store, params: unknown, path: Record<string, string>) => Promise<unknown>;
};

type Definition<Schema extends z.ZodType> = {
  params: Schema;
  handle: (store: Store, params: z.output<Schema>, path: { id: string }) => Promise<unknown>;
};

/** Defines a route whose parameters are parsed at the edge; inside, their types are trusted. */
export function route<Schema extends z.ZodType>(
  line: `${Method} /v1/${string}`,
  definition: Definition<Schema>,
): Route {
  const [method, path] = line.split(' ') as [Method, string];
  return {
    method,
    path,
    run: async (store, params, { id = '' }) => {
      const parsed = definition.params.safeParse(params);
      if (!parsed.success) throw toFault(parsed.error, params);
      return definition.handle(store, parsed.data, { id });
    },
  };
}

/** The route for a request, with what its path names. */
export function findRoute(
  routes: Route[],
  method: string,
  pathname: string,
): { route: Route; path: Record<string, string> } {
  const asked = pathname.split('/');
  for (const candidate of routes) {
    const pattern = candidate.path.split('/');
    if (candidate.method !== method || pattern.length !== asked.length) continue;
    const isMatch = pattern.every((part, index) => part.startsWith(':') || part === asked[index]);
    if (!isMatch) continue;
    const names = pattern.flatMap((part, index) =>
      part.startsWith(':') ? [[part.slice(1), decodeURIComponent(asked[index] ?? '')]] : [],
    );
    return { route: candidate, path: Object.fromEntries(names) };
  }
  // The SDK takes any body without `error` for success: an unknown address must say it in Stripe's words.
  throw Object.assign(invalidRequest(`Unrecognized request URL (${method}: ${pathname}).`), { status: 404 });
}
