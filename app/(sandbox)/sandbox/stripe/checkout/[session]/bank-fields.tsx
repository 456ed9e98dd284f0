import { Button } from '@/components/ui/button';
import { Disclosure } from '@/components/ui/disclosure';
import { TextField } from '@/components/ui/field';

type BankFieldsProps = { errorOf: (field: string) => string | undefined };

/** ACH Direct Debit: the checkout completes at once, the money comes days later or not at all. */
export function BankFields({ errorOf }: BankFieldsProps) {
  const fields = ['account_holder', 'routing_number', 'account_number'];
  return (
    <Disclosure summary="Pay from a bank account" isOpen={fields.some((field) => errorOf(field))}>
      <div className="grid gap-4">
        <p className="text-muted-foreground text-sm">
          The bank answers after four days on the sandbox’s clock. 000123456789 pays; 000111111113 has been closed and
          000222222227 has insufficient funds, which only shows then.
        </p>
        <TextField
          id="account_holder"
          name="account_holder"
          label="Account holder"
          autoComplete="name"
          error={errorOf('account_holder')}
        />
        <TextField
          id="routing_number"
          name="routing_number"
          label="Routing number"
          inputMode="numeric"
          autoComplete="off"
          placeholder="110000000"
          error={errorOf('routing_number')}
        />
        <TextField
          id="account_number"
          name="account_number"
          label="Account number"
          inputMode="numeric"
          autoComplete="off"
          placeholder="000123456789"
          error={errorOf('account_number')}
        />
        <Button type="submit" variant="secondary" name="method" value="us_bank_account">
          Debit this account
        </Button>
      </div>
    </Disclosure>
  );
}
