'use server';

import { redirect } from 'next/navigation';
import { type ActionResult, failed } from './action-result';
import { isSameOrigin, OTHER_SITE } from './same-origin';
import { endSession, findDemoPrograms, startSession } from './session';
import { readNextPath } from './sign-in-path';

/** Signs in with a program API key and returns to the page that required it. */
export async function signIn(_: ActionResult, form: FormData): Promise<ActionResult> {
  const apiKey = form.get('api_key');
  if (!(await isSameOrigin())) return failed(OTHER_SITE);
  if (typeof apiKey !== 'string' || !(await startSession(apiKey.trim()))) {
    return failed(
      'This key does not open the dashboard. It may be for the API only, expired, revoked, or copied incompletely.',
    );
  }
  redirect(readNextPath(form.get('next')));
}

/** Switches to another program of the local demo. */
export async function switchDemoProgram(programId: string): Promise<void> {
  const program = (await findDemoPrograms()).find(({ id }) => id === programId);
  if (program && (await isSameOrigin())) await startSession(program.apiKey);
  redirect('/dashboard');
}

export async function signOut(): Promise<void> {
  if (await isSameOrigin()) await endSession();
  redirect('/dashboard/sign-in');
}
