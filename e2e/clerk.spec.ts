// Everything a person does with Clerk's own components, on the shop's pages.
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures';
import { listDeliveries } from './payment-support';
import { findUsers, readUser } from './session-support';
import {
  arriveFrom,
  hold,
  newEmail,
  PASSWORD,
  readClickId,
  readUserId,
  signUpByHttp,
  untilCodeIsSent,
  untilHydrated,
} from './support';

const CODE = '424242';
const newCodeEmail = () => newEmail().replace('@', '+clerk_test@');

const continueButton = (page: Page) => page.getByRole('button', { name: 'Continue', exact: true });
/** By the keyboard: a remark below the password moves the button away while it is being pressed. */
const submitPassword = (page: Page) => page.locator('input[name=password]').press('Enter');
const fieldError = (page: Page) => page.locator('.cl-formFieldErrorText').first();

async function openSignUp(page: Page, email: string): Promise<void> {
  await page.goto('/sign-up');
  await fillSignUp(page, email);
}

async function fillSignUp(page: Page, email: string): Promise<void> {
  await page.locator('input[name=emailAddress]').fill(email);
  await page.locator('input[name=password]').fill(PASSWORD);
}

async function identify(page: Page, email: string): Promise<void> {
  await page.locator('input[name=identifier]').fill(email);
  await continueButton(page).click();
}

async function typeCode(page: Page, code: string): Promise<void> {
  await page.getByRole('textbox', { name: /verification code/i }).fill(code);
}

/** The types of the webhooks that were sent about this person, oldest first. */
async function sentWebhooks(page: Page, email: string): Promise<string[]> {
  return (await listDeliveries(page.request, email))
    .filter(({ provider }) => provider === 'clerk')
    .map(({ event_type: type }) => type);
}

test.describe('an address that needs a code', () => {
  test.use({ expectedProblems: [/422/] });

  test('signs up with the right one only, and with the click that comes while it is awaited', async ({ page }) => {
    const letGo = await hold(page, '**/api/v1/track/click');
    await page.goto('/?aff=ada');
    await untilHydrated(page); // a link that loads the next page would lose the click
    await page.getByRole('link', { name: 'Start free' }).first().click();
    await page.waitForURL('**/sign-up**');
    await fillSignUp(page, newCodeEmail());
    await untilCodeIsSent(page, () => submitPassword(page));
    const updated = page.waitForRequest(
      (request) => /_method=PATCH/.test(request.url()) && /sign_ups/.test(request.url()),
    );
    letGo();
    await (await updated).response();
    const clickId = await readClickId(page);
    expect(clickId).toMatch(/^clk_/);
    await typeCode(page, '111111');
    await expect(page.getByText('Incorrect code').first()).toBeVisible();
    await typeCode(page, CODE);
    await page.waitForURL('**/welcome**');
    expect((await readUser(page, await readUserId(page)))?.unsafe_metadata).toEqual({ svc_click_id: clickId });
  });
});

test.describe('mistakes', () => {
  test.use({ expectedProblems: [/422/] });

  test('a taken address, an unknown one and a wrong password are shown at their fields', async ({ page }) => {
    const email = newEmail();
    await signUpByHttp(page, email);
    await page.context().clearCookies();
    await openSignUp(page, email);
    await submitPassword(page);
    await expect(fieldError(page)).toHaveText('That email address is taken. Please try another.');
    await page.goto('/sign-in');
    await identify(page, newEmail());
    await expect(fieldError(page)).toHaveText("Couldn't find your account.");
    await identify(page, email);
    await page.locator('input[name=password]').fill('wrong password');
    await continueButton(page).click();
    await expect(fieldError(page)).toContainText('Password is incorrect');
    await page.locator('input[name=password]').fill(PASSWORD);
    await continueButton(page).click();
    await page.waitForURL('**/account');
  });
});

test('signing in works with a code instead of the password', async ({ page }) => {
  const email = newEmail();
  const userId = await signUpByHttp(page, email);
  await page.context().clearCookies();
  await page.goto('/sign-in');
  await identify(page, email);
  await page.getByRole('link', { name: 'Use another method' }).click();
  await untilCodeIsSent(page, () => page.getByRole('button', { name: /Email code to/ }).click());
  await typeCode(page, CODE);
  await page.waitForURL('**/account');
  expect(await readUserId(page)).toBe(userId);
});

test.describe('"Continue with Postbox"', () => {
  const consent = async (page: Page, email: string) => {
    await page.getByRole('button', { name: 'Continue with Postbox' }).click();
    await page.waitForURL('**/clerk/oauth/**');
    await page.getByLabel('Email address').fill(email);
    await page.getByLabel('First name').fill('Ada');
    await page.getByRole('button', { name: 'Allow' }).click();
  };

  test('on the sign-in page makes a new user, and the click ID comes along', async ({ page }) => {
    const email = newEmail();
    const clickId = await arriveFrom(page, 'grace');
    await page.goto('/sign-in');
    await consent(page, email);
    await page.waitForURL('**/welcome**');
    const user = await readUser(page, await readUserId(page));
    expect(user).toMatchObject({
      unsafe_metadata: { svc_click_id: clickId },
      external_accounts: [{ email_address: email }],
    });
    await expect.poll(() => sentWebhooks(page, email)).toEqual(['user.created']);
    expect(await findUsers(page, email)).toMatchObject([{ password_enabled: false }]);
  });

  test('on the sign-up page makes a new user, and on the sign-up page again signs them in', async ({ page }) => {
    const email = newEmail();
    const clickId = await arriveFrom(page, 'ada');
    await page.goto('/sign-up');
    await consent(page, email);
    await page.waitForURL('**/welcome**');
    const userId = await readUserId(page);
    expect((await readUser(page, userId))?.unsafe_metadata).toEqual({ svc_click_id: clickId });
    await page.context().clearCookies();
    await page.goto('/sign-up');
    await consent(page, email);
    expect(await readUserId(page)).toBe(userId);
    await expect.poll(() => sentWebhooks(page, email)).toEqual(['user.created']);
  });

  test('that is canceled says so and creates no user', async ({ page }) => {
    const email = newEmail();
    await page.goto('/sign-in');
    await page.getByRole('button', { name: 'Continue with Postbox' }).click();
    await page.getByLabel('Email address').fill(email);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.waitForURL('**/sign-in**');
    await expect(page.getByText(/did not grant access/)).toBeVisible();
    expect(await findUsers(page, email)).toEqual([]);
  });
});

test('a password that was changed on the account page is the one that counts', async ({ page, request }) => {
  const email = newEmail();
  const changed = `${PASSWORD} changed`;
  await signUpByHttp(page, email);
  await page.goto('/account');
  await page.locator('.cl-userButtonTrigger').click();
  await page.getByRole('button', { name: 'Manage account' }).click();
  await page.getByRole('button', { name: 'Security' }).click();
  await page.getByRole('button', { name: 'Update password' }).click();
  await page.locator('input[name=currentPassword]').fill(PASSWORD);
  await page.locator('input[name=newPassword]').fill(changed);
  await page.locator('input[name=confirmPassword]').fill(changed);
  // By the keyboard: remarks below the fields move the button away while it is being pressed.
  await page.locator('input[name=confirmPassword]').press('Enter');
  await expect(page.locator('input[name=newPassword]')).toHaveCount(0);

  const signIn = async (password: string) => {
    const form = { strategy: 'password', identifier: email, password };
    return (await request.post(`${process.env.CLERK_API_URL}/v1/client/sign_ins`, { form })).status();
  };
  expect([await signIn(PASSWORD), await signIn(changed)]).toEqual([422, 200]);
});
