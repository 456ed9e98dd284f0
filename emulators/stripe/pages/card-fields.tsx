// The fields of a card and of a bank account, and the test numbers with special effects.
import { Button, Disclosure, TextField } from '../../core/ui';
import type { Typed } from '../checkout/forms';
import { LISTED_CARDS, TEST_ACCOUNT_NUMBER, TEST_ROUTING_NUMBER } from '../test-cards';

/** The message for a field, if the last attempt had one. */
export type ErrorOf = (field: string) => string | undefined;

type CardFieldsProps = {
  /** Makes the IDs of several forms on one page differ. */
  prefix?: string;
  /** What was typed before. The CVC is never written into a page. */
  typed?: Typed | null | undefined;
  errorOf: ErrorOf;
};

/** Number, expiry, CVC and name, with the names that browsers fill in. */
export const CardFields = ({ prefix = '', typed, errorOf }: CardFieldsProps) => (
  <>
    <TextField
      id={`${prefix}number`}
      name="number"
      label="Card number"
      inputmode="numeric"
      autocomplete="cc-number"
      required
      placeholder="4242 4242 4242 4242"
      value={grouped(typed?.number)}
      error={errorOf('number')}
      data-format="number"
    />
    <div class="pair">
      <TextField
        id={`${prefix}expiry`}
        name="expiry"
        label="Expiry"
        inputmode="numeric"
        autocomplete="cc-exp"
        required
        placeholder="MM / YY"
        value={typed?.expiry}
        error={errorOf('expiry')}
        data-format="expiry"
      />
      <TextField
        id={`${prefix}cvc`}
        name="cvc"
        label="CVC"
        inputmode="numeric"
        autocomplete="cc-csc"
        required
        placeholder="123"
        error={errorOf('cvc')}
        data-format="cvc"
      />
    </div>
    <TextField
      id={`${prefix}name`}
      name="name"
      label="Name on card"
      autocomplete="cc-name"
      required
      value={typed?.name}
      error={errorOf('name')}
    />
  </>
);

/** Digits in groups of four; anything else as it was typed. */
const grouped = (number = ''): string => (/^\d+$/.test(number) ? number.replace(/(\d{4})(?=\d)/g, '$1 ') : number);

/** The buttons appear if the browser's script can fill the form. */
export const TestCards = () => (
  <Disclosure summary="Test cards">
    <ul class="test-cards">
      {LISTED_CARDS.map(([number, effect]) => (
        <li>
          <span>
            <code>{number}</code> {effect}
          </span>
          <Button type="button" variant="secondary" size="small" hidden data-fill-card={number}>
            Use<span class="sr-only"> {number}</span>
          </Button>
        </li>
      ))}
    </ul>
    <p class="hint">Any expiry in the future, any three digits as CVC.</p>
  </Disclosure>
);

type BankFieldsProps = { errorOf: ErrorOf; typed?: Typed | null | undefined };

/** ACH Direct Debit: the checkout completes at once; the money comes days later, or not at all. */
export function BankFields({ errorOf, typed }: BankFieldsProps) {
  const isOpen = ['account_holder', 'routing_number', 'account_number'].some(errorOf);
  return (
    <Disclosure summary="Pay from a bank account" isOpen={isOpen}>
      <div class="stack">
        <p class="hint">
          The debit clears after four days of emulator time. <code>{TEST_ACCOUNT_NUMBER}</code> succeeds;{' '}
          <code>000111111113</code> has been closed and <code>000222222227</code> has insufficient funds: both fail
          after four days.
        </p>
        <TextField
          id="account_holder"
          name="account_holder"
          label="Account holder"
          autocomplete="name"
          value={typed?.account_holder}
          error={errorOf('account_holder')}
        />
        <div class="pair">
          <TextField
            id="routing_number"
            name="routing_number"
            label="Routing number"
            inputmode="numeric"
            autocomplete="off"
            placeholder={TEST_ROUTING_NUMBER}
            value={typed?.routing_number}
            error={errorOf('routing_number')}
          />
          <TextField
            id="account_number"
            name="account_number"
            label="Account number"
            inputmode="numeric"
            autocomplete="off"
            placeholder={TEST_ACCOUNT_NUMBER}
            value={typed?.account_number}
            error={errorOf('account_number')}
          />
        </div>
        <Button variant="secondary" name="method" value="us_bank_account">
          Debit this account
        </Button>
      </div>
    </Disclosure>
  );
}
