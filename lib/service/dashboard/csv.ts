// Full-width signs too: spreadsheets in Chinese and Japanese locales treat them the same. Also after a separator: in locales whose
// spreadsheets separate by semicolons, the quotes of a cell within a line do not count, and its text is split. Quotes and white
// space may come before the sign.
const FORMULA_START = /^(?=[\t\r\n])|(?<=(?:^|[;|\t\r\n])[\s"]*)(?=[=+\-@＝＋－＠])/gu;

/** A cell that no spreadsheet evaluates as a formula: https://owasp.org/www-community/attacks/CSV_Injection */
function toCell(value: string | number | boolean | null): string {
  const text = String(value ?? '');
  const harmless = typeof value === 'string' ? text.replace(FORMULA_START, "'") : text;
  return `"${harmless.replaceAll('"', '""')}"`;
}

/** One line of RFC 4180, with its line break. */
export const toCsvLine = (values: ReadonlyArray<string | number | boolean | null>): string =>
  `${values.map(toCell).join(',')}\r\n`;
