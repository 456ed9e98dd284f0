// What the embedded tracking service has recorded: it runs beside the shop, so the funnel can ask it.
import { expect, type Page } from '@playwright/test';

type TrackingEvent = { kind: string; partner_code?: string };

/** A customer's tracking events, oldest first, each with its partner: `lead ada`. */
export async function readKinds(page: Page, customer: string): Promise<string[]> {
  const headers = { authorization: `Bearer ${process.env.SVC_API_KEY}` };
  const response = await page.request.get('/api/v1/events', { params: { customer, limit: 100 }, headers });
  expect(response.ok()).toBe(true);
  const { data } = (await response.json()) as { data: TrackingEvent[] };
  return data.reverse().map(({ kind, partner_code: partner }) => `${kind} ${partner ?? ''}`.trim());
}

/** Whether there is an embedded one to ask. */
export const isServiceHere = !process.env.NEXT_PUBLIC_SVC_BASE_URL;
