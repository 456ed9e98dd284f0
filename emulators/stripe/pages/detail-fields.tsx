// The fields of Checkout besides the payment method: billing address, phone number, consent.
import { described, SelectField, TextField } from '../../core/ui';
import type { CheckoutView } from '../checkout/page';
import type { ErrorOf } from './card-fields';

const NAMES = new Intl.DisplayNames('en', { type: 'region' });
const COUNTRIES = 'AT AU BE BR CA CH DE DK ES FI FR GB IE IN IT JP MX NL NO NZ PL PT SE SG US ZA'
  .split(' ')
  .map((code) => ({ code, name: NAMES.of(code) ?? code }))
  .sort((one, other) => one.name.localeCompare(other.name));

type CountryProps = { value: string | null | undefined; error: string | undefined };

export const CountryField = ({ value, error }: CountryProps) => (
  <SelectField id="country" name="country" label="Country" autocomplete="country" required error={error}>
    <option value="">Choose a country</option>
    {COUNTRIES.map(({ code, name }) => (
      <option value={code} selected={code === value}>
        {name}
      </option>
    ))}
  </SelectField>
);

type FieldsProps = { view: CheckoutView; errorOf: ErrorOf };

export function PhoneField({ view: { known, lastAttempt }, errorOf }: FieldsProps) {
  const value = lastAttempt?.phone ?? known.phone;
  const error = errorOf('phone');
  return (
    <TextField
      id="phone"
      name="phone"
      type="tel"
      label="Phone number"
      autocomplete="tel"
      required
      {...{ value, error }}
    />
  );
}

const LINES = [
  ['line1', 'Address', 'address-line1', true],
  ['line2', 'Address line 2 (optional)', 'address-line2', false],
  ['postal_code', 'Postal code', 'postal-code', true],
  ['city', 'City', 'address-level2', true],
  ['state', 'State or province (optional)', 'address-level1', false],
] as const;

/** If tax depends on the country, it has its own form. */
export function AddressFields({ view: { known, lastAttempt, needsCountry }, errorOf }: FieldsProps) {
  const typed = lastAttempt ?? known;
  return (
    <>
      <h2>Billing address</h2>
      {!needsCountry && <CountryField value={typed.country} error={errorOf('country')} />}
      {LINES.map(([name, label, autocomplete, required]) => (
        <TextField
          id={name}
          label={label}
          value={typed[name]}
          error={errorOf(name)}
          {...{ name, autocomplete, required }}
        />
      ))}
    </>
  );
}

export function ConsentField({ view: { customText }, errorOf }: FieldsProps) {
  const id = 'terms_of_service';
  const error = errorOf(id);
  return (
    <div class="field">
      <label>
        <input type="checkbox" name={id} value="accepted" required {...described({ id, error })} />{' '}
        {customText.terms_of_service_acceptance ?? 'I agree to the terms of service.'}
      </label>
      {error && (
        <p id={`${id}-error`} class="error">
          {error}
        </p>
      )}
    </div>
  );
}
