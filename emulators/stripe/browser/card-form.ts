// Makes card forms comfortable: groups digits as they are typed, and fills in test cards. Without it, the forms work
// the same.

const AMEX = /^3[47]/;
const MAX_DIGITS = { number: 19, expiry: 4, cvc: 4 };

type Kind = keyof typeof MAX_DIGITS;

const FORMATS: Record<Kind, (digits: string) => string> = {
  number: (digits) => {
    const groups = AMEX.test(digits) ? /^(\d{1,4})(\d{1,6})?(\d{1,5})?/ : /^(\d{1,4})(\d{1,4})?(\d{1,4})?(\d{1,7})?/;
    return (groups.exec(digits) ?? []).slice(1).filter(Boolean).join(' ');
  },
  expiry: (digits) => {
    const padded = /^[2-9]/.test(digits) ? `0${digits}` : digits; // no month begins with 2
    return padded.length > 2 ? `${padded.slice(0, 2)} / ${padded.slice(2, 4)}` : padded;
  },
  cvc: (digits) => digits,
};

const isKind = (value: string | undefined): value is Kind => value !== undefined && value in FORMATS;

/** Writes the value with its digits grouped; the caret stays behind the same digit. */
function format(input: HTMLInputElement, kind: Kind): void {
  const before = input.value;
  const caret = input.selectionStart ?? before.length;
  const digits = before.replace(/\D/g, '').slice(0, MAX_DIGITS[kind]);
  const after = FORMATS[kind](digits);
  if (after === before) return;
  input.value = after;
  if (caret < before.length) {
    const place = placeAfter(after, before.slice(0, caret).replace(/\D/g, '').length);
    input.setSelectionRange(place, place);
  }
}

/** The index behind the `count`th digit. */
function placeAfter(text: string, count: number): number {
  let seen = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (seen === count) return index;
    if (/\d/.test(text.charAt(index))) seen += 1;
  }
  return text.length;
}

/** What a test card replaces; other fields are filled in if they are empty. */
const CARD_FIELDS = ['number', 'expiry', 'cvc'];

const OTHER_FIELDS = {
  name: 'Test Customer',
  phone: '+1 555 010 0000',
  country: 'US',
  line1: '1 Main Street',
  postal_code: '62701',
  city: 'Springfield',
  state: 'IL',
};

function fill(form: HTMLFormElement, name: string, value: string): void {
  const field = form.querySelector<HTMLInputElement | HTMLSelectElement>(`[name="${name}"]`);
  if (field && (CARD_FIELDS.includes(name) || field.value === '')) field.value = value;
}

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-card-form]')) {
  for (const input of form.querySelectorAll<HTMLInputElement>('input[data-format]')) {
    const kind = input.dataset.format;
    if (isKind(kind)) input.addEventListener('input', () => format(input, kind));
  }
  for (const button of form.querySelectorAll<HTMLButtonElement>('button[data-fill-card]')) {
    button.hidden = false;
    button.addEventListener('click', () => {
      fill(form, 'number', button.dataset.fillCard ?? '');
      fill(form, 'expiry', '12 / 34');
      fill(form, 'cvc', '123');
      for (const [name, value] of Object.entries(OTHER_FIELDS)) fill(form, name, value);
      form.querySelector<HTMLButtonElement>('button:not([type="button"])')?.focus();
    });
  }
  const status = form.querySelector('[data-status]');
  let isSending = false;
  const show = (sending: boolean) => {
    isSending = sending;
    status?.replaceChildren(sending ? 'Processing…' : '');
  };
  form.addEventListener('submit', (event) => {
    if (isSending) event.preventDefault(); // Checkout waits for the webhooks; a second click changes nothing
    show(true);
  });
  window.addEventListener('pageshow', () => show(false)); // the page may come back from the history
}
