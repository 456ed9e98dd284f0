// The variables that a build contains: Next writes them into pages, and the app into headers. A server started with other values
// would send some requests to one address and some to another.

/** @typedef {Record<string, string | undefined>} Environment */

const HEADERS = ['STRIPE_API_URL', 'CHECKOUT_ORIGINS'];
const NAMES = [
  ...['NEXT_PUBLIC_SVC_PROGRAM_ID', 'NEXT_PUBLIC_SVC_BASE_URL', 'NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY'],
  ...['NEXT_PUBLIC_CLERK_PROXY_URL', 'NEXT_PUBLIC_CLERK_JS_URL', 'NEXT_PUBLIC_CLERK_UI_URL'],
  ...HEADERS,
];

/** Trims the values, as everything that reads them does. @param {Environment} env changed in place */
export function trimBuildVariables(env) {
  for (const name of NAMES) if (env[name]) env[name] = env[name].trim();
}

/** The build's variables as text, which Next writes into the build. @param {Environment} env */
export const describeBuild = (env) => JSON.stringify(Object.fromEntries(NAMES.map((name) => [name, env[name] ?? ''])));

/** Whether each build would make its own key for server actions, so that open tabs fail after the next release. @param {Environment} env */
export const isActionsKeyMissing = (env) =>
  Boolean(env.APP_URL?.startsWith('https:') && !env.NEXT_SERVER_ACTIONS_ENCRYPTION_KEY);

/**
 * The variables that differ from the build's. A public one may be unset when the server starts, because the build
 * contains it.
 * @param {string} built what `describeBuild` returned @param {Environment} env
 */
export function findChangedSinceBuild(built, env) {
  const values = /** @type {Record<string, string>} */ (JSON.parse(built));
  return Object.keys(values).filter((name) => {
    const value = env[name]?.trim() ?? '';
    return (value || HEADERS.includes(name)) && value !== values[name];
  });
}
