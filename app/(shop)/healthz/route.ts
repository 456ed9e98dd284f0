// Liveness: restart the process if it does not respond. It checks nothing else, so that a database outage restarts no process.
export function GET(): Response {
  return Response.json({ status: 'ok' }, { headers: { 'cache-control': 'no-store' } });
}
