'use server';

import { redirect } from 'next/navigation';
import { type ActionResult, failed } from './action-result.ts';
import { isSameOrigin, OTHER_SITE } from './same-origin.ts';
import { endSession, findDemoKeys, startSession } from './session.ts';
import { readNextPath } from './sign-in-path.ts';

/** Signs in with a program API key and returns to the page that required it. */
export async function signIn(_: ActionResult, form: FormData): Promise<ActionResult> {
  const apiKey = form.get('api_key');
  if (!(await isSameOrigin())) return failed(OTHER_SITE);
  if (typeof apiKey !== 'string' || !(await startSession(apiKey.trim()))) {
    return failed('This key does not open the dashboard. It may be for the API only, revoked, or copied incompletely.');
  }
  redirect(readNextPath(form.get('next')));
}

/** Switches between the two programs of the local demo. @param program the place of its key among the demo's */
export async function switchDemoProgram(program: number): Promise<void> {
  const apiKey = (await findDemoKeys())[Number(program)]; // an action's arguments may be anything
  if (apiKey && (await isSameOrigin())) await startSession(apiKey);
  redirect('/dashboard');
}

export async function signOut(): Promise<void> {
  if (await isSameOrigin()) await endSession();
  redirect('/dashboard/sign-in');
}
