// What a log must not hold: secrets of the run, and email addresses. `npm test` searches the app's log of the whole run.

/** @typedef {Record<string, string | undefined>} Environment */

const SECRET_NAME = /(_KEY|_SECRET|_PREVIOUS)$/;
const PUBLIC_NAME = /^NEXT_PUBLIC_|_JWT_KEY$/;
const EMAIL = /[\w.+-]+@[\w-]+(\.[\w-]+)*\.[a-z]{2,}\b/i;

/**
 * The lines of a log that hold a secret or an email address, and what each holds; never the value itself.
 * @param {string} log @param {Environment} env the run's
 */
export function findLeaks(log, env) {
  const secrets = Object.entries(env).flatMap(([name, value]) =>
    value && value.length >= 12 && SECRET_NAME.test(name) && !PUBLIC_NAME.test(name) ? [{ name, value }] : [],
  );
  return log
    .split('\n')
    .flatMap((line, index) => [
      ...secrets.filter(({ value }) => line.includes(value)).map(({ name }) => `line ${index + 1}: ${name}`),
      ...(EMAIL.test(line) ? [`line ${index + 1}: an email address`] : []),
    ]);
}
