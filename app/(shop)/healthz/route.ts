// Liveness: restart the process when it does not respond. It checks nothing else, so an unavailable database restarts no process. Change in your app: nothing.
export function GET(): Response {
  return Response.json({ status: 'ok' }, { headers: { 'cache-control': 'no-store' } });
}
