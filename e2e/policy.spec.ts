import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures';
import { main, newClick } from './support';

/** A program of the test's own, as its owner makes one: a program's policy holds for everyone who uses it. */
async function createProgram(): Promise<{ program: string; apiKey: string }> {
  const command = ['--import', 'tsx', '--conditions=react-server', 'scripts/create-program.ts'];
  const options = ['--name', `Policy ${randomUUID()}`, '--partner', 'ada'];
  const { stdout } = await promisify(execFile)(process.execPath, [...command, ...options]);
  const [, program = '', apiKey = ''] = stdout.match(/^program ID {2}(\S+)\nAPI key {5}(\S+)/m) ?? [];
  expect(program).not.toBe('');
  return { program, apiKey };
}

type Policy = 'Server-verified' | 'Browser allowed';

async function changePolicy(page: Page, from: Policy, to: Policy): Promise<void> {
  await page.goto('/dashboard/settings');
  const card = page.getByRole('region', { name: 'Lead auth policy' });
  await expect(card.getByRole('radio', { name: from })).toBeChecked();
  await card.getByRole('radio', { name: to }).check();
  await card.getByRole('button', { name: 'Save policy' }).click();
  await expect(card.getByRole('status')).toHaveText(/^Saved/);
}

test('the lead auth policy is switched on the settings page, and holds from the next lead call on', async ({
  page,
  request,
}) => {
  const { program, apiKey } = await createProgram();
  /** What the tracker's signup() sends for a new user, and in a word what became of it. */
  const signup = async (): Promise<string> => {
    const click_id = await newClick(request, 'ada', program);
    const data = { program_id: program, customer_key: `user_${randomUUID()}`, click_id };
    const response = await request.post('/api/v1/track/lead', { data });
    expect(response.status()).toBe(200);
    return (await response.json()).provisional ? 'provisional' : 'settled';
  };

  await page.goto('/dashboard/sign-in');
  await main(page).getByLabel('API key').fill(apiKey);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('banner').getByText(program, { exact: true })).toBeVisible();

  await changePolicy(page, 'Server-verified', 'Browser allowed');
  expect(await signup()).toBe('settled');
  await changePolicy(page, 'Browser allowed', 'Server-verified');
  expect(await signup()).toBe('provisional');
});
