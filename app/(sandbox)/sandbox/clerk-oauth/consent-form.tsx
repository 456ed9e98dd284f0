import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { TextField } from '@/components/ui/field';
import { PageHeader } from '@/components/ui/page-header';

/** A plain form: its answer goes to Clerk's callback, which leads back to the shop. */
export function ConsentForm({ state, providerName }: { state: string; providerName: string }) {
  return (
    <>
      <PageHeader
        title={`Continue with ${providerName}`}
        description="Stands for a provider like Google. Be whoever you like: the shop gets this address as verified."
      />
      <Card>
        <form method="post" action="/sandbox/clerk/v1/oauth_callback" className="grid gap-4">
          <input type="hidden" name="state" value={state} />
          <TextField
            id="email_address"
            name="email_address"
            label="E-mail address"
            type="email"
            autoComplete="email"
            required
          />
          <TextField id="first_name" name="first_name" label="First name" autoComplete="given-name" />
          <TextField id="last_name" name="last_name" label="Last name" autoComplete="family-name" />
          <div className="flex flex-wrap gap-3">
            <Button type="submit" name="decision" value="allow">
              Allow
            </Button>
            <Button type="submit" name="decision" value="deny" variant="secondary" formNoValidate>
              Cancel
            </Button>
          </div>
        </form>
      </Card>
    </>
  );
}
