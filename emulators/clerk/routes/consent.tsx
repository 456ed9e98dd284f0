// The pages of the OAuth provider: the person enters there who they are.
import type { Child } from 'hono/jsx';
import type { Config } from '../../core/config';
import { NotFoundPage, Page } from '../../core/page';
import { Button, TextField } from '../../core/ui';
import { OAUTH_PROVIDER } from '../objects/oauth';

/** What was typed, and what is wrong with the address. */
type Refused = { address: string; firstName: string; lastName: string; error: string };

/**
 * A plain form: Clerk's callback leads back to the app.
 * @param state the ID of the visit
 * @param refused if the page is shown again
 */
export function consentPage(state: string, refused?: Refused): Response {
  const page = (
    <Page title={`Continue with ${OAUTH_PROVIDER.name}`} header={PROVIDER_HEADER} width="narrow">
      <h1>Continue with {OAUTH_PROVIDER.name}</h1>
      <p class="muted">
        Emulates a provider such as Google. Use any identity; the app receives the email address as verified.
      </p>
      <form method="post" action="/clerk/v1/oauth_callback" class="stack">
        <input type="hidden" name="state" value={state} />
        <TextField
          id="email_address"
          name="email_address"
          label="Email address"
          type="email"
          autocomplete="email"
          required
          value={refused?.address}
          error={refused?.error}
        />
        <TextField
          id="first_name"
          name="first_name"
          label="First name"
          autocomplete="given-name"
          value={refused?.firstName}
        />
        <TextField
          id="last_name"
          name="last_name"
          label="Last name"
          autocomplete="family-name"
          value={refused?.lastName}
        />
        <div class="row">
          <Button name="decision" value="allow">
            Allow
          </Button>
          <Button name="decision" value="deny" variant="secondary" formnovalidate>
            Cancel
          </Button>
        </div>
      </form>
    </Page>
  );
  return toResponse(page, refused ? 422 : 200);
}

/** For a visit that is over, of another browser, or too old. */
export const expiredPage = ({ appName, appUrl }: Config): Response =>
  toResponse(
    <NotFoundPage
      title="This request has expired"
      header={PROVIDER_HEADER}
      back={{ href: appUrl, label: `Back to ${appName}` }}
    >
      Go back to the app and choose “Continue with {OAUTH_PROVIDER.name}” again.
    </NotFoundPage>,
    404,
  );

const PROVIDER_HEADER = <p>{OAUTH_PROVIDER.name}</p>;

const toResponse = (page: Child, status: number): Response =>
  new Response(String(page), { status, headers: { 'content-type': 'text/html; charset=UTF-8' } });
