// The tracking service: does it take the key, and does a synthetic click, lead and sale go through. Leads and sales are of
// test mode (§4), outside every total; the click, which has no test mode, is made only for a partner that is named.
import { randomUUID } from 'node:crypto';
import { appEnv, publicEnv, trackingEnv } from '@/lib/integration/env';
import { postJson } from './http';
import { blocker, type Finding, Obstacle, ok, warning } from './report';

type Target = { baseUrl: string; programId: string; apiKey: string; appUrl: string };

const CORS_ACTION =
  'Ask its operators to allow this origin (CORS), or send clicks through your own domain. If you do that already, nothing is wrong.';

const DEMO_PARTNER = 'ada';

export function readTarget(): Target {
  const { APP_URL: appUrl } = appEnv();
  const { NEXT_PUBLIC_SVC_BASE_URL: baseUrl = appUrl, NEXT_PUBLIC_SVC_PROGRAM_ID: programId } = publicEnv();
  return { baseUrl: baseUrl.replace(/\/$/, ''), programId, apiKey: trackingEnv().SVC_API_KEY, appUrl };
}

/** §1: click, lead, sale. */
export async function examineService(target: Target, partner: string | undefined): Promise<Finding[]> {
  const { baseUrl, programId, apiKey, appUrl } = target;
  const authorization = `Bearer ${apiKey}`;
  const customer_key = `doctor_${randomUUID()}`;
  const additional_data = { test_mode: true, program_id: programId };
  const endpoint = (name: string) => `${baseUrl}/api/v1/track/${name}`;
  const findings: Finding[] = [];

  const code = partner ?? (programId === 'prg_demo' ? DEMO_PARTNER : undefined);
  if (code) {
    const affiliate_url = `${appUrl}/?aff=${encodeURIComponent(code)}`;
    const { origin } = new URL(appUrl);
    const asTrackerSends = { 'content-type': 'text/plain;charset=UTF-8', origin }; // as text, a browser asks for no preflight
    const click = await postJson(endpoint('click'), { affiliate_url, program_id: programId }, asTrackerSends);
    const reader = click.headers.get('access-control-allow-origin');
    const isReadable = new URL(baseUrl).origin === origin || reader === '*' || reader === origin;
    const { click_id }: { click_id?: string } = await click.json().catch(() => ({}));
    const action =
      click.ok || click.status === 400
        ? `Check that ${code} is an active partner of program ${programId}, or name another one: --partner CODE.`
        : `Check that the tracking service is at ${baseUrl}, and read its log.`;
    if (!click_id)
      findings.push(blocker('Click', `a visit with ?aff=${code} created no click (${click.status}).`, action));
    else if (isReadable) findings.push(ok('Click', `?aff=${code} creates a click for ${programId}`));
    else findings.push(warning('Click', `pages of ${origin} may not read the response of ${baseUrl}.`, CORS_ACTION));
  } else {
    findings.push(
      ok('Click', 'not tried: name the code of a partner with --partner CODE, and a click is recorded for it'),
    );
  }

  const lead = await postJson(endpoint('lead'), { customer_key, additional_data }, { authorization });
  if (!lead.ok) throw new Obstacle(...explainRefusal(lead.status, target));
  findings.push(ok('Lead', 'a test lead is settled'));

  const sale = { customer_key, amount_cents: 100, transaction_id: customer_key, additional_data };
  const statuses: number[] = [];
  for (let turn = 0; turn < 2; turn++)
    statuses.push((await postJson(endpoint('sale'), sale, { authorization })).status);
  const isRight = statuses[0] !== undefined && statuses[0] < 300 && statuses[1] === 409;
  return [
    ...findings,
    isRight
      ? ok('Sale', 'a test sale is recorded, and its duplicate is refused with 409')
      : blocker(
          'Sale',
          `a test sale and its duplicate returned ${statuses.join(' and ')}; §4 says 2xx and 409.`,
          `Ask the operators of ${baseUrl}.`,
        ),
  ];
}

/** @returns what the service's response to the lead means, and what to do */
export function explainRefusal(
  status: number,
  { baseUrl, programId }: Pick<Target, 'baseUrl' | 'programId'>,
): [string, string] {
  const settings = 'Where to find it: the dashboard of the tracking service, Settings.';
  switch (status) {
    case 401:
    case 403:
      return [`${baseUrl} does not know SVC_API_KEY (${status}).`, settings];
    case 404:
      return [`${baseUrl} has no /api/v1/track/lead.`, 'Set NEXT_PUBLIC_SVC_BASE_URL to the address without /api/v1.'];
    case 400:
      return [
        `SVC_API_KEY is not a key of program ${programId} (400).`,
        `Correct NEXT_PUBLIC_SVC_PROGRAM_ID or SVC_API_KEY. ${settings}`,
      ];
    default:
      return [`${baseUrl} returned ${status}.`, status >= 500 ? 'See its log.' : settings];
  }
}
