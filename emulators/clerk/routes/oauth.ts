// "Continue with …": the browser visits the provider and comes back to /v1/oauth_callback, as with Clerk.
import { createHash } from 'node:crypto';
import { Hono } from 'hono';
import { pageHeaders } from '../../core/page';
import { type BrowserCall, type Endpoints, redirect, refresh, requireSession, setClientUat } from '../call';
import { ClerkError, clerkErrors } from '../errors';
import type { Form } from '../form';
import { connectAccount, findOauthUser } from '../oauth';
import {
  decideOauth,
  isOpen,
  type OauthFlow,
  type OauthOutcome,
  type OauthProfile,
  type OauthPurpose,
} from '../objects/oauth';
import { barOf } from '../objects/user';
import { consentPage, expiredPage } from './consent';
import { completeSignIn } from './sign-ins';
import { completeSignUp } from './sign-ups';

export function oauthRoutes({ browser }: Endpoints): Hono {
  return new Hono().post('/oauth_callback', pageHeaders, browser(finishOauth));
}

/** The person has decided on the consent page, and continues in the app. */
async function finishOauth(call: BrowserCall): Promise<Response> {
  const { form, store, browser } = call;
  const flow = await findFlow(call);
  if (!flow) return expiredPage(call.emulator.config);
  if (flow.status !== 'unverified') {
    setClientUat(call); // the button was pressed twice: the browser may have dropped the first response
    return redirect(flow.user_id ? flow.complete_url : flow.redirect_url, 303);
  }
  const isGranted = form.text('decision') === 'allow';
  const profile = isGranted ? readProfile(form) : null; // what was typed before “Cancel” does not count
  if (profile instanceof ClerkError) {
    const typed = (name: string) => form.text(name) ?? '';
    return consentPage(flow.id, {
      address: typed('email_address'),
      firstName: typed('first_name'),
      lastName: typed('last_name'),
      error: profile.message,
    });
  }
  const owner = profile && (await findOauthUser(store, flow.strategy, profile));
  const outcome = decideOauth({
    purpose: purposeOf(call, flow),
    isGranted,
    ownerId: owner?.id ?? null,
    ownerBar: owner && barOf(owner),
    signedInId: browser?.signedIn?.user.id ?? null,
  });
  const isFinished = await apply(call, { ...flow, profile }, outcome);
  await refresh(call);
  setClientUat(call);
  return redirect(isFinished ? flow.complete_url : flow.redirect_url, 303);
}

/** The profile that the person entered, or what is wrong with it. */
function readProfile(form: Form): OauthProfile | ClerkError {
  try {
    const address = form.email();
    if (address === null) return clerkErrors.emailInvalid('email_address');
    return {
      provider_user_id: createHash('sha256').update(address).digest('hex').slice(0, 21),
      email_address: address,
      first_name: form.text('first_name'),
      last_name: form.text('last_name'),
    };
  } catch (error) {
    if (error instanceof ClerkError) return error;
    throw error;
  }
}

/** The flow named by `state`, if it belongs to this browser, and is finished or not too old. */
async function findFlow({ form, store, browser, now }: BrowserCall): Promise<OauthFlow | null> {
  const flow = await store.find('oauth_flow', form.text('state') ?? '');
  if (flow?.client_id !== browser?.client.id) return null;
  return flow && (flow.status !== 'unverified' || isOpen(flow, now)) ? flow : null;
}

function purposeOf({ browser }: BrowserCall, { id }: OauthFlow): OauthPurpose {
  if (browser?.signIn?.flow?.id === id) return 'sign_in';
  return browser?.signUp?.flow?.id === id ? 'sign_up' : 'connect';
}

/** @returns whether the person is done; if not, they return to the attempt or to the account page */
async function apply(call: BrowserCall, flow: OauthFlow, outcome: OauthOutcome): Promise<boolean> {
  const { store, browser } = call;
  switch (outcome.kind) {
    case 'failed':
    case 'transferable':
      await store.save('oauth_flow', { ...flow, status: outcome.kind, error_code: outcome.errorCode });
      return false;
    case 'sign_in': {
      const user = await store.find('user', outcome.userId);
      if (!user || !browser?.signIn) throw clerkErrors.notFound('Sign-in');
      await completeSignIn(call, { ...browser.signIn, flow }, user);
      return true;
    }
    case 'sign_up':
      return continueSignUp(call, { ...flow, status: 'verified' });
    case 'connect':
      await connectAccount(call, requireSession(call).user, { ...flow, complete_url: flow.redirect_url });
      return false; // back to the account page
    default:
      return outcome satisfies never;
  }
}

/** Adds the provider's profile to the attempt, and completes it if nothing else is missing. */
async function continueSignUp(call: BrowserCall, flow: OauthFlow): Promise<boolean> {
  const { store, browser } = call;
  if (!browser?.signUp || !flow.profile) throw clerkErrors.notFound('Sign-up');
  const { email_address, first_name, last_name } = flow.profile;
  const signUp = { ...browser.signUp.signUp, email_address, first_name, last_name };
  await store.save('oauth_flow', flow);
  await store.save('sign_up', signUp);
  return (await completeSignUp(call, { signUp, flow })) !== null;
}
