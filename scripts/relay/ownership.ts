// Which of an account's events are this app's. A test account is often shared: with other apps, colleagues, and their test runs.
import { z } from 'zod';
import { type Api, getJson, NotFound } from './sources';

const reference = z
  .union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)])
  .nullish()
  .transform((value) => value ?? null);

const eventObject = z.object({
  data: z.object({
    object: z.object({
      customer: reference,
      charge: reference,
      invoice: reference,
      metadata: z.record(z.string(), z.string()).nullish(),
    }),
  }),
});
type EventObject = z.output<typeof eventObject>['data']['object'];

const owned = z.object({ customer: reference });

/**
 * Whether an event is this app's: its customer is one that the app has stored. Refunds, disputes and invoice payments name no
 * customer, but a charge or an invoice that does. A payment without any customer is told by its program.
 * @param isOwnCustomer asked once per customer that is not known yet
 */
export function ownEvents(
  api: Api,
  { isOwnCustomer, programId }: { isOwnCustomer: (id: string) => Promise<boolean>; programId: string | undefined },
): (body: string) => Promise<boolean> {
  /** Customers by the path of what names them: a charge keeps its customer. */
  const customers = new Map<string, string | null>();
  const own = new Set<string>();

  const readCustomer = async (path: string) => owned.parse(await getJson(api, path, new URLSearchParams())).customer;

  async function customerAt(path: string): Promise<string | null> {
    const known = customers.get(path);
    if (known !== undefined) return known;
    const customer = await readCustomer(path).catch((error: unknown) => {
      if (error instanceof NotFound) return null; // deleted, as with its test clock
      throw error;
    });
    customers.set(path, customer);
    return customer;
  }

  async function customerOf({ customer, charge, invoice }: EventObject): Promise<string | null> {
    if (customer) return customer;
    if (charge) return customerAt(`/v1/charges/${encodeURIComponent(charge)}`);
    return invoice ? customerAt(`/v1/invoices/${encodeURIComponent(invoice)}`) : null;
  }

  return async (body) => {
    const parsed = eventObject.safeParse(JSON.parse(body));
    if (!parsed.success) return false;
    const { object } = parsed.data.data;
    const customer = await customerOf(object);
    if (!customer) return programId !== undefined && object.metadata?.program_id === programId;
    if (!own.has(customer) && (await isOwnCustomer(customer))) own.add(customer);
    return own.has(customer);
  };
}
