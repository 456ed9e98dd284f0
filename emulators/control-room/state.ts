// The whole state: resets, for everyone or one customer, and exports and imports.
import { resolveTarget } from '../core/config';
import type { Sql } from '../core/database';
import { type DeliveryTarget, redirectDeliveries } from '../core/deliveries';
import type { Emulator } from '../core/emulator';
import type { Message } from '../core/trace';
import { mentions } from '../core/trace-ids';
import { listEndpoints } from '../stripe/account';
import { Store } from '../stripe/store';

/** Empties everything except secrets, the catalog, portal configurations and webhook endpoints: a running app keeps working. */
export async function resetEverything({ database, controlled }: Emulator): Promise<void> {
  await database.reset();
  controlled.announce();
}

/**
 * Removes one customer, as if they had never been there: users, customers and all that belongs to them, deliveries,
 * clocks, faults and recorded messages.
 * @param email matched without regard to case
 * @returns how many objects there were
 */
export async function resetCustomer({ database, controlled }: Emulator, email: string): Promise<number> {
  const objects = await database.change(async (sql) => {
    const address = email.trim().toLowerCase();
    const ids = await findObjectsOf(sql, address);
    await sql('DELETE FROM object WHERE id = ANY($1::text[])', [ids]);
    await sql(
      `UPDATE object SET data = data || '{"session_id": null}'
       WHERE type = 'clerk.client' AND data->>'session_id' = ANY($1::text[])`,
      [ids],
    );
    // Otherwise a repeated request would return an object that has been deleted.
    await sql(
      'DELETE FROM idempotency_key WHERE EXISTS (SELECT 1 FROM unnest($1::text[]) AS gone (id) WHERE strpos(body, gone.id) > 0)',
      [ids],
    );
    await sql('DELETE FROM clock WHERE subject = ANY($1::text[])', [ids]);
    await sql('DELETE FROM delivery WHERE subject = $1', [address]);
    await sql('DELETE FROM fault WHERE subject = $1', [address]);
    await sql('DELETE FROM message WHERE id = ANY($1::bigint[])', [await findMessagesOf(sql, address)]);
    await sql('DELETE FROM visitor_subject WHERE visitor IN (SELECT visitor FROM visitor_subject WHERE subject = $1)', [
      address,
    ]);
    return ids.length;
  });
  controlled.announce();
  return objects;
}

/** The IDs of the users and customers with this address, of their checkouts, and of everything that refers to these. */
async function findObjectsOf(sql: Sql, address: string): Promise<string[]> {
  const rows = await sql<{ id: string }>(
    `WITH RECURSIVE belonging (id) AS (
       SELECT o.id FROM object o
       WHERE (o.type = 'stripe.customer' AND lower(o.data->>'email') = $1)
          OR (o.type = 'stripe.checkout.session' AND $1 IN (
                lower(o.data->>'customer_email'), lower(o.data->'customer_details'->>'email')))
          OR (o.type = 'clerk.user' AND EXISTS (
                SELECT 1 FROM jsonb_array_elements(o.data->'email_addresses') AS e
                WHERE lower(e->>'email_address') = $1))
       UNION
       SELECT other.id FROM belonging b, object o, object other
       WHERE o.id = b.id AND (
         other.customer = o.id
         OR other.id = CASE WHEN o.type = 'stripe.checkout.session' THEN o.data->>'payment_intent' END
         OR o.id IN (other.data->>'user_id', other.data->>'invoice', other.data->>'charge',
                     other.data->>'payment_intent', other.data->'data'->'object'->>'id'))
     )
     SELECT id FROM belonging`,
    [address],
  );
  return rows.map(({ id }) => id);
}

/** The IDs of the messages with this address; reads each one that contains its domain. */
async function findMessagesOf(sql: Sql, address: string): Promise<number[]> {
  const rows = await sql<Pick<Message, 'id' | 'subjects' | 'path' | 'request' | 'response'>>(
    `SELECT id, subjects, data->>'path' AS path, data->'request' AS request, data->'response' AS response
     FROM message WHERE $1 = ANY(subjects) OR strpos(lower(data::text), $2) > 0`,
    [address, address.split('@').at(-1)],
  );
  const found = rows.filter(({ subjects, path, request, response }) => {
    const parts = [request, response].flatMap(({ headers, body }) => [body, ...Object.values(headers)]);
    return subjects.includes(address) || [path, ...parts].some((text) => mentions(text, address));
  });
  return found.map(({ id }) => id);
}

/**
 * Replaces the current state with an exported one. This instance keeps its secrets and webhook endpoints, because the
 * app that runs against it knows no others. Webhooks in the exported state go to these endpoints.
 * @throws if the file is not an exported state; then nothing has changed
 */
export async function importState(emulator: Emulator, file: Blob): Promise<void> {
  const { database, deliveries, controlled } = emulator;
  const kept = await database.query(async (sql) => ({
    secrets: await sql<{ name: string; value: string }>("SELECT name, value FROM secret WHERE name <> 'schema'"),
    endpoints: await sql<Endpoint>(
      `SELECT id, data::text AS data, internal::text AS internal FROM object WHERE type = '${ENDPOINT}'`,
    ),
  }));
  await database.replace(file, async (sql) => {
    await sql("DELETE FROM secret WHERE name <> 'schema'");
    for (const { name, value } of kept.secrets) await sql('INSERT INTO secret VALUES ($1, $2)', [name, value]);
    await sql('DELETE FROM object WHERE type = $1', [ENDPOINT]);
    for (const { id, data, internal } of kept.endpoints) {
      await sql('INSERT INTO object (id, type, data, internal) VALUES ($1, $2, $3::jsonb, $4::jsonb)', [
        id,
        ENDPOINT,
        data,
        internal,
      ]);
    }
    await redirectWebhooks(emulator, sql);
  });
  controlled.announce();
  deliveries.wake();
}

/** Sends the webhooks of an imported state to the endpoints of the instance that imported it. */
export async function redirectWebhooks(emulator: Emulator, sql: Sql): Promise<void> {
  const { config, secrets } = emulator;
  const stripe = await listEndpoints(emulator, await Store.open(sql, config));
  const targets: DeliveryTarget[] = stripe.map(({ url, secret }) => ({ provider: 'stripe', url, secret }));
  if (config.clerkWebhook !== null) {
    const url = resolveTarget(config, config.clerkWebhook);
    targets.push({ provider: 'clerk', url, secret: secrets.clerkWebhookSecret });
  }
  await redirectDeliveries(sql, targets);
}

type Endpoint = { id: string; data: string; internal: string };

const ENDPOINT = 'stripe.webhook_endpoint';
