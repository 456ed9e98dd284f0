import { createHash } from 'node:crypto';
import { Client } from 'pg';

const DAYS = 28;
const PARTNERS = ['ada', 'grace'];

const idOf = (prefix: string, text: string) =>
  `${prefix}_${createHash('sha256').update(text).digest('base64').replace(/\W/g, '').slice(0, 24)}`;

/** What the tracking service has on record by now is older, by whole minutes. Nothing else could make it look back on weeks. */
export async function letMinutesPass(databaseUrl: string, minutes: number): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const tables = ['clicks', 'leads', 'sales', 'events', 'provisional_leads'].map((name) => `service_${name}`);
    for (const table of tables) {
      await client.query(`UPDATE ${table} SET created_at = created_at - make_interval(mins => $1)`, [minutes]);
    }
    const days = Math.floor(minutes / 1440);
    if (days === 0) return;
    // In two steps, so that no day meets its neighbour on the way.
    for (const table of ['service_daily_counts', 'service_daily_amounts']) {
      await client.query(`UPDATE ${table} SET day = day - $1::int`, [days + 10_000]);
      await client.query(`UPDATE ${table} SET day = day + 10000`);
    }
  } finally {
    await client.end();
  }
}

type Stack = { appUrl: string; databaseUrl: string; apiKey: string };

/** Four weeks of a small program: the same clicks, leads and sales each time, made through the API. */
export async function makeHistory({ appUrl, databaseUrl, apiKey }: Stack): Promise<void> {
  const call = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${appUrl}/api/v1/track/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as { click_id?: string };
  };
  const authorization = `Bearer ${apiKey}`;
  for (let day = 0; day < DAYS; day += 1) {
    const clicks = 3 + ((day * 7) % 5) + Math.floor(day / 7);
    for (let index = 0; index < clicks; index += 1) {
      const visitor = `${day}-${index}`;
      const affiliate_url = `${appUrl}/?aff=${PARTNERS[(day + index) % 2]}`;
      const address = { 'x-forwarded-for': `192.0.2.${day}` };
      const { click_id } = await call('click', { affiliate_url, program_id: 'prg_demo' }, address);
      if (index % 3 !== 0) continue;
      const customer_key = idOf('user', visitor);
      await call('lead', { customer_key, click_id, email: `${visitor}@example.com` }, { authorization });
      if ((day + index) % 2 !== 0) continue;
      const sale = { customer_key, amount_cents: index === 0 ? 1900 : 19_000, transaction_id: idOf('in', visitor) };
      await call('sale', sale, { authorization });
    }
    await letMinutesPass(databaseUrl, 1440);
  }
}
