import 'server-only';

const REFUSALS = {
  bad_signature: [400, 'The signature does not match. Check the signing secret of this endpoint.'],
  unknown_plan: [400, 'There is no such plan. Send a plan name from the pricing page.'],
  unauthorized: [401, 'Send the header "Authorization: Bearer <CRON_SECRET>".'],
  cross_site: [403, 'Open the shop and try again from there.'],
  too_large: [413, 'The body is too large.'],
  unavailable: [503, 'Nothing could be stored. Send the event again later.'],
} as const satisfies Record<string, readonly [status: number, error: string]>;

/** An error answer: what happened and what to do, and a code that stays. */
export function refuse(code: keyof typeof REFUSALS): Response {
  const [status, error] = REFUSALS[code];
  return Response.json({ error, code }, { status });
}
