// Whether the process responds at all: restart it where it does not. It asks nothing else, so that a database that is down
// restarts no process. Change in your app: nothing.
export function GET(): Response {
  return Response.json({ status: 'ok' }, { headers: { 'cache-control': 'no-store' } });
}
