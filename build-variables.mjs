// Which variables a build is made with: Next writes them into its pages, and the app its headers. A server that is started
// with others would send some requests to one place and some to another.

/** @typedef {Record<string, string | undefined>} Environment */

const HEADERS = ['STRIPE_API_URL', 'CHECKOUT_ORIGINS'];
const NAMES = [
  ...['NEXT_PUBLIC_SVC_PROGRAM_ID', 'NEXT_PUBLIC_SVC_BASE_URL', 'NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY'],
  ...['NEXT_PUBLIC_CLERK_PROXY_URL', 'NEXT_PUBLIC_CLERK_JS_URL', 'NEXT_PUBLIC_CLERK_UI_URL'],
  ...HEADERS,
];

/** Takes off the space around the values, as everything that reads them does. @param {Environment} env changed in place */
export function trimBuildVariables(env) {
  for (const name of NAMES) if (env[name]) env[name] = env[name].trim();
}

/** What a build is made with, as text that Next can write into it. @param {Environment} env */
export const describeBuild = (env) => JSON.stringify(Object.fromEntries(NAMES.map((name) => [name, env[name] ?? ''])));

/**
 * The variables that differ from the build's. A public one may be left unset where the server is started, since the build
 * holds it.
 * @param {string} built what `describeBuild` returned @param {Environment} env
 */
export function findChangedSinceBuild(built, env) {
  const values = /** @type {Record<string, string>} */ (JSON.parse(built));
  return Object.keys(values).filter((name) => {
    const value = env[name]?.trim() ?? '';
    return (value || HEADERS.includes(name)) && value !== values[name];
  });
}
