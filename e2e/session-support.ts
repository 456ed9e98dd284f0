// A session as the browser keeps it and as Clerk's Backend API sees it: what a walk needs to let a token expire.
import type { BrowserContext, Page } from '@playwright/test';

const secret = () => ({ authorization: `Bearer ${process.env.CLERK_SECRET_KEY}` });

type Claims = { sid: string; exp: number };

const decodeClaims = (token: string): Claims =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

/** Clerk's server code takes a token for up to five seconds longer. */
export const isExpired = (token: string) => decodeClaims(token).exp * 1000 + 5_000 < Date.now();

async function readClaims(page: Page): Promise<Claims> {
  const cookies = await page.context().cookies();
  return decodeClaims(cookies.find(({ name }) => name === '__session')?.value ?? '');
}

export async function issueToken(page: Page, data: { expires_in_seconds: number }): Promise<string> {
  const { sid } = await readClaims(page);
  const url = `${process.env.CLERK_API_URL}/v1/sessions/${sid}/tokens`;
  const response = await page.request.post(url, { headers: secret(), data });
  return ((await response.json()) as { jwt: string }).jwt;
}

/** As if the tabs had been closed: no script is left that would refresh the session's token. */
async function closePages(context: BrowserContext): Promise<void> {
  for (const page of context.pages()) await page.goto('about:blank');
}

/** Puts this token in the place of the session's own. */
export async function replaceSessionCookies(context: BrowserContext, token: string, url: string): Promise<void> {
  await closePages(context);
  await setSessionCookies(context, token, url);
}

/** The same while pages are open, whose scripts may refresh it. */
export async function setSessionCookies(context: BrowserContext, token: string, url: string): Promise<void> {
  const names = (await context.cookies()).map(({ name }) => name).filter((name) => name.startsWith('__session'));
  await context.addCookies(names.map((name) => ({ name, value: token, url })));
}

/** The user as a server sees it, through the Backend API; null if there is none. */
export async function readUser(page: Page, userId: string) {
  const response = await page.request.get(`${process.env.CLERK_API_URL}/v1/users/${userId}`, { headers: secret() });
  return response.ok() ? ((await response.json()) as BackendUser) : null;
}

/** The users with an email address, through the Backend API. */
export async function findUsers(page: Page, email: string): Promise<BackendUser[]> {
  const params = { email_address: email };
  const response = await page.request.get(`${process.env.CLERK_API_URL}/v1/users`, { headers: secret(), params });
  return response.json();
}

type BackendUser = {
  unsafe_metadata: Record<string, unknown>;
  primary_email_address_id: string;
  email_addresses: { id: string; email_address: string }[];
  external_accounts: { email_address: string }[];
  password_enabled: boolean;
};
