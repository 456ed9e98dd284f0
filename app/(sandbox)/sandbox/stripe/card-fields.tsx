import { Disclosure } from '@/components/ui/disclosure';
import { TextField } from '@/components/ui/field';

type CardFieldsProps = {
  /** Makes the ids of several forms on one page differ. */
  prefix?: string;
  name?: string;
  /** The message for a field, where the last attempt had one. */
  errorOf: (field: string) => string | undefined;
};

/** Number, expiry, CVC and name, with the names browsers fill in. */
export function CardFields({ prefix = '', name = '', errorOf }: CardFieldsProps) {
  return (
    <>
      <TextField
        id={`${prefix}number`}
        name="number"
        label="Card number"
        inputMode="numeric"
        autoComplete="cc-number"
        required
        placeholder="4242 4242 4242 4242"
        error={errorOf('number')}
      />
      <div className="grid grid-cols-2 gap-4">
        <TextField
          id={`${prefix}expiry`}
          name="expiry"
          label="Expiry"
          autoComplete="cc-exp"
          required
          placeholder="MM / YY"
          error={errorOf('expiry')}
        />
        <TextField
          id={`${prefix}cvc`}
          name="cvc"
          label="CVC"
          inputMode="numeric"
          autoComplete="cc-csc"
          required
          placeholder="123"
          error={errorOf('cvc')}
        />
      </div>
      <TextField
        id={`${prefix}name`}
        name="name"
        label="Name on card"
        autoComplete="cc-name"
        required
        defaultValue={name}
        error={errorOf('name')}
      />
    </>
  );
}

/** The numbers that Stripe's documentation gives, and what they do here. */
export function TestCards() {
  return (
    <Disclosure summary="Test cards">
      <ul className="grid gap-1 text-sm">
        <li>4242 4242 4242 4242 succeeds</li>
        <li>4000 0000 0000 0002 is declined</li>
        <li>4000 0000 0000 9995 has insufficient funds</li>
        <li>4000 0000 0000 0341 succeeds today and fails at the next renewal</li>
        <li>4000 0025 0000 3155 has its bank ask first, once (3-D Secure)</li>
        <li>4000 0027 6000 3184 has its bank ask each time, which fails at the next renewal</li>
        <li>Any expiry in the future, any three digits</li>
      </ul>
    </Disclosure>
  );
}
