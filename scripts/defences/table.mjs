// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the lines are source code.
// The defences of the attack list, and the test that guards each. `npm run test:defences` takes each one away in a copy of
// the project and expects its test to fail. A defence that React, Next or PostgreSQL brings is taken away by planting what it
// prevents.

/**
 * @typedef {object} Defence
 * @property {string} attack
 * @property {string} file
 * @property {string} search the line that defends; it occurs once in the file
 * @property {string} replace what the file would say without it
 * @property {[file: string, title: string]} test the title as it stands in the file, without what `%s` stands for
 */

/** @type {Defence[]} */
export const DEFENCES = [
  {
    attack: 'forged identity webhook',
    file: 'lib/integration/clerk/webhook.ts',
    search: 'new Webhook(secret).verify(body, signed) as WebhookEvent',
    replace: 'JSON.parse(body) as WebhookEvent',
    test: ['lib/integration/clerk/webhook.test.ts', 'none of 1,000 forged ones is accepted'],
  },
  {
    attack: 'altered identity webhook',
    file: 'lib/integration/clerk/webhook.ts',
    search: 'new Webhook(secret).verify(body, signed) as WebhookEvent',
    replace: 'JSON.parse(body) as WebhookEvent',
    test: ['lib/integration/clerk/webhook.test.ts', 'an altered body is refused'],
  },
  {
    attack: 'stale identity webhook',
    file: 'lib/integration/clerk/webhook.ts',
    search: 'new Webhook(secret).verify(body, signed) as WebhookEvent',
    replace:
      "JSON.parse(new Webhook(secret).sign(messageId, new Date(Number(signed['svix-timestamp']) * 1000), body) === " +
      "signed['svix-signature'] ? body : '') as WebhookEvent",
    test: [
      'lib/integration/clerk/webhook.test.ts',
      'a webhook older than five minutes, or from the future, is refused',
    ],
  },
  {
    attack: 'replayed identity webhook',
    file: 'lib/integration/outbox/store.ts',
    search: 'ON CONFLICT (id) DO NOTHING',
    replace: "ON CONFLICT (id) DO UPDATE SET state = 'pending', due_at = excluded.due_at",
    test: [
      'lib/integration/outbox/outbox.db.test.ts',
      'a duplicate of a done one is accepted and delivered no second time',
    ],
  },
  {
    attack: 'identity webhook signed with the secret that was rotated away',
    file: 'lib/integration/clerk/webhook.ts',
    search: '[env.CLERK_WEBHOOK_SIGNING_SECRET, env.CLERK_WEBHOOK_SIGNING_SECRET_PREVIOUS]',
    replace: '[env.CLERK_WEBHOOK_SIGNING_SECRET]',
    test: ['lib/integration/clerk/webhook.test.ts', 'and, during a rotation, the previous one'],
  },
  {
    attack: 'forged payment webhook of the shop',
    file: 'lib/integration/stripe/client.ts',
    search: "webhooks.constructEvent(body, signature ?? '', secret)",
    replace: 'JSON.parse(body)',
    test: ['lib/integration/stripe/client.test.ts', 'a Stripe webhook is verified before it is read'],
  },
  {
    attack: 'forged payment webhook of the service',
    file: 'lib/service/payments/receive-event.ts',
    search: "Stripe.webhooks.constructEvent(text, signature ?? '', secret)",
    replace: 'JSON.parse(text)',
    test: ['lib/service/payments/receive-event.db.test.ts', ': refused, nothing recorded'],
  },
  {
    attack: 'body without a length and without an end, at the shop',
    file: 'lib/integration/http.ts',
    search: 'if (size > limit + DISCARDED) {',
    replace: 'if (size > limit * 10_000) {',
    test: ['lib/integration/http.test.ts', 'an endless body is left after the limit and canceled'],
  },
  {
    attack: 'body that declares 200 MB, at the service',
    file: 'lib/service/http/read-body.ts',
    search:
      "if (Number(request.headers.get('content-length')) > limitBytes + DISCARDED_BYTES) return refuse('body_too_large');",
    replace: '',
    test: ['lib/service/http/read-body.test.ts', 'a body that declares too much is refused unread'],
  },
  {
    attack: 'body without a length and without an end, at the service',
    file: 'lib/service/http/read-body.ts',
    search: 'if (size > limitBytes + DISCARDED_BYTES) {',
    replace: 'if (size > limitBytes * 10_000) {',
    test: ['lib/service/http/read-body.test.ts', 'a body without a length is read no further than the limit'],
  },
  {
    attack: 'NUL, half characters',
    file: 'lib/service/clean-input.ts',
    search: '[^\\\\p{Cc}\\\\p{Cs}]{1,',
    replace: '[^\\\\n]{1,',
    test: ['lib/service/schemas.test.ts', 'IDs are opaque: 1 to 255 printable characters'],
  },
  {
    attack: 'deep nesting, __proto__',
    file: 'lib/service/http/read-body.ts',
    search: 'if (!isPlain(value)) return',
    replace: 'if (false) return',
    test: ['lib/service/http/read-body.test.ts', '400 for what cannot be read'],
  },
  {
    attack: 'bad UTF-8',
    file: 'lib/service/http/read-body.ts',
    search: '{ fatal: true }',
    replace: '{ fatal: false }',
    test: ['lib/service/http/read-body.test.ts', '400 for what cannot be read'],
  },
  {
    attack: 'unsafe_metadata of any type and size',
    file: 'lib/integration/click-id.ts',
    search: "if (typeof value === 'string' && isClickId(value)) return value;",
    replace: 'if (value) return value as string;',
    test: [
      'lib/integration/click-id.test.ts',
      'docs/decisions/0014: a click ID from unsafe_metadata is user-controlled input',
    ],
  },
  {
    attack: 'click ID of another program',
    file: 'lib/service/track/lead-facts.ts',
    search: 'LEFT JOIN service_clicks c ON c.id = ${subject.clickId} AND c.program_id = p.id',
    replace: 'LEFT JOIN service_clicks c ON c.id = ${subject.clickId}',
    test: ['lib/service/track/record-lead.db.test.ts', 'a click of another program is an unknown click'],
  },
  {
    attack: 'second lead that steals the attribution',
    file: 'lib/service/domain/lead.ts',
    search:
      "if (facts.isCustomerKnown) return { outcome: 'unchanged' };\n  return facts.click === 'valid' || facts.test",
    replace: "return facts.click === 'valid' || facts.test",
    test: ['lib/service/domain/lead.test.ts', '§3, row by row'],
  },
  {
    attack: 'browser lead for the customer ID of another user',
    file: 'lib/service/domain/lead.ts',
    search: "return facts.click === 'valid' ? { outcome: 'provisional', record: true } : rejectClick(facts);",
    replace:
      "if (facts.isCustomerKnown) return { outcome: 'provisional', record: true };\n" +
      "  return facts.click === 'valid' ? { outcome: 'settle' } : rejectClick(facts);",
    test: [
      'lib/service/track/record-lead.db.test.ts',
      'the user ID is not saved, and neither is the email: no record holds them',
    ],
  },
  {
    attack: 'telling settled customers from unknown ones by a browser call',
    file: 'lib/service/domain/lead.ts',
    search: "if (facts.provisional !== 'none') return { outcome: 'provisional', record: false };",
    replace: "if (facts.isCustomerKnown) return { outcome: 'reject', code: 'lead_already_settled' };",
    test: ['lib/service/domain/lead.test.ts', 'where §3 is silent'],
  },
  {
    attack: 'amounts of 0, below 0, with a fraction, above 2^53, as text',
    file: 'lib/service/schemas.ts',
    search: ".int({ error: 'Send an integer, in minor units of the currency.' })\n      .min(1, 'At least 1.')",
    replace: '.coerce.number()',
    test: ['lib/service/schemas.test.ts', '§2 amount is a positive integer in cents'],
  },
  {
    attack: 'price, customer and metadata of the browser',
    file: 'app/(shop)/api/checkout/route.ts',
    search: 'const clickId = await findClickId(buyer, actor);',
    replace: "const clickId = String(form.get('metadata[svc_click_id]') ?? (await findClickId(buyer, actor)));",
    test: ['tests/checkout-form.db.test.ts', 'the session of a form with price, customer, metadata and addresses'],
  },
  {
    attack: 'open redirect by Host',
    file: 'app/(shop)/api/checkout/route.ts',
    search: 'return seeOther(isRepeat ? `/sign-up?plan=${plan.name}` : `/checkout?plan=${plan.name}&resume=payment`);',
    replace:
      "return seeOther(`http://${request.headers.get('x-forwarded-host') ?? request.headers.get('host')}/checkout?plan=${plan.name}&resume=payment&x=${isRepeat}`);",
    test: ['tests/security/attacks.test.ts', 'no redirect leads where the header '],
  },
  {
    attack: 'form of another site',
    file: 'lib/integration/http.ts',
    search: "return site === null ? headers.get('origin') === new URL(appUrl).origin : site === 'same-origin';",
    replace: "return site !== '' || appUrl !== '';",
    test: ['lib/integration/http.test.ts', 'is refused, whatever its origin says'],
  },
  {
    attack: 'requests to addresses in landing URLs',
    file: 'lib/service/track/record-click.ts',
    search: 'if (!link.ok) return refuse(link.code);',
    replace: 'if (!link.ok) return refuse(link.code);\n  void fetch(body.affiliate_url).catch(() => {});',
    test: ['tests/security/attacks.test.ts', 'no landing URL is ever fetched'],
  },
  {
    attack: 'script in a record that the dashboard shows',
    file: 'components/ui/id.tsx',
    search: '{children.slice(0, -tail.length)}',
    replace: '<span dangerouslySetInnerHTML={{ __html: children }} />',
    test: ['tests/security/attacks.test.ts', 'runs no script that stands in a record'],
  },
  {
    attack: 'formula in an export',
    file: 'lib/service/dashboard/csv.ts',
    search: `text.replace(FORMULA_START, "'")`,
    replace: "text.replace(FORMULA_START, '')",
    test: ['lib/service/dashboard/csv.test.ts', 'is not a formula any more'],
  },
  {
    attack: 'changed cursor',
    file: 'lib/service/events/cursor.ts',
    search: 'return writeCursor(position) === cursor ? position : null;',
    replace: 'return position;',
    test: ['lib/service/events/cursor.test.ts', 'a cursor that is changed anywhere is none of ours'],
  },
  {
    attack: 'API key from a browser of another origin',
    file: 'lib/service/http/respond.ts',
    search: "'access-control-allow-headers': 'content-type',",
    replace: "'access-control-allow-headers': 'content-type, authorization',",
    test: [
      'tests/security/attacks.test.ts',
      'preflights of clicks and browser leads allow any origin, but no credentials and no Authorization header',
    ],
  },
  {
    attack: 'sales from a browser of another origin',
    file: 'app/(service)/api/v1/track/sale/route.service.ts',
    search: "export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseMethods('POST');",
    replace:
      "export const { GET, PUT, PATCH, DELETE } = refuseMethods('POST');\n" +
      "export const OPTIONS = () => new Response(null, { headers: { 'access-control-allow-origin': '*' } });",
    test: ['tests/security/attacks.test.ts', ' is for none'],
  },
  {
    attack: 'a key for the dashboard that makes one for the API',
    file: 'lib/service/keys.ts',
    search: "(own === 'full' ? KEY_ACCESS : [own])",
    replace: 'KEY_ACCESS',
    test: ['lib/service/keys.db.test.ts', ' rotates '],
  },
  {
    attack: 'flood of calls with one API key',
    file: 'lib/service/rate-limit.ts',
    search: 'RETURNING r.requests > (SELECT ${allowed} FROM program) AS too_many',
    replace: 'RETURNING false AS too_many',
    test: [
      'lib/service/track/rate-limit.db.test.ts',
      'an API key makes as many requests a minute as the program allows, and no more',
    ],
  },
  {
    attack: 'flood from one address that uses up the ceiling of all',
    file: 'lib/service/rate-limit.ts',
    search: 'own.requests >= ${allowed}',
    replace: 'own.requests < 0',
    test: ['lib/service/track/rate-limit.db.test.ts', 'an address past its own limit uses up nothing of the ceiling'],
  },
  {
    attack: 'flood of clicks from addresses that are invented',
    file: 'lib/service/rate-limit.ts',
    search: 'RETURNING r.requests > (SELECT ${ceiling} FROM program) AS too_many',
    replace: 'RETURNING false AS too_many',
    test: [
      'lib/service/track/rate-limit.db.test.ts',
      'addresses that a client invents meet the ceiling of the program, and no more rows than that are written',
    ],
  },
  {
    attack: 'invented X-Forwarded-For',
    file: 'scripts/client-address.mjs',
    search: 'if (!(Number(process.env.TRUSTED_PROXIES) > 0)) {',
    replace: 'if (Number(process.env.TRUSTED_PROXIES) < 0) {',
    test: [
      'scripts/client-address.program.test.ts',
      'without a proxy of yours the address is that of the socket, whatever a client claims',
    ],
  },
  {
    attack: 'API keys in a copy of the database',
    file: 'lib/service/keys.ts',
    search: 'hash: hashSecret(key)',
    replace: 'hash: key',
    test: ['lib/service/keys.db.test.ts', 'the database holds no key'],
  },
  {
    attack: 'API key that is guessed by how long its comparison takes',
    file: 'lib/service/api-key.ts',
    search: 'timingSafeEqual(left, right)',
    replace: 'a === b',
    test: ['lib/service/api-key.test.ts', 'a comparison in constant time decides alone'],
  },
  {
    attack: 'losing the last key',
    file: 'lib/service/keys.ts',
    search: "if ((await tx.apiKey.count({ where: others })) === 0) return 'last_key';",
    replace: 'await tx.apiKey.count({ where: others });',
    test: ['lib/service/keys.db.test.ts', 'it cannot be revoked, nor can a key of another program'],
  },
  {
    attack: 'payment event of another account',
    file: 'lib/service/payments/attribution.ts',
    search: "if (event.accountId && event.accountId !== program.paymentAccountId) return 'account_mismatch';",
    replace: '',
    test: ['lib/service/payments/receive-event.db.test.ts', 'a payment of another account writes nothing at all'],
  },
  {
    attack: 'refund of another account',
    file: 'lib/service/payments/align-sales.ts',
    search: "AND (${isOwnAccount} OR coalesce(s.payment_account_id, '') = ANY(${accountIds}))",
    replace: 'AND ${isOwnAccount || accountIds.length > 0}',
    test: [
      'lib/service/payments/receive-event.db.test.ts',
      'a refund of another account lowers nothing, whatever payment it names',
    ],
  },
  {
    attack: 'production on providers of this machine',
    file: 'instrumentation.node.ts',
    search: "if (process.env.NODE_ENV !== 'production' || local.length === 0 || isLoopback(appEnv().APP_URL)) return;",
    replace: 'if (local.length >= 0 || isLoopback(appEnv().APP_URL)) return;',
    test: [
      'tests/configuration.test.ts',
      'does not serve a public address with a provider on this machine, and serves a local one',
    ],
  },
  {
    attack: 'dashboard page without a session',
    file: 'lib/service/dashboard/session.ts',
    search: 'return (await readAccess()) ?? redirect(writeSignInPath(path, params));',
    replace:
      "return (await readAccess()) ?? ((await findAccessByKey(hashSecret(serviceEnv().SVC_API_KEY ?? ''), new Date())) as DashboardAccess);",
    test: ['tests/security/attacks.test.ts', ' shows nothing without a session'],
  },
  {
    attack: 'feed version without a session',
    file: 'app/(service)/dashboard/version/route.service.ts',
    search: "if (!access) return new Response('Sign in to the dashboard first.\\n', { status: 401 });",
    replace: "if (!access) return new Response('1');",
    test: [
      'tests/security/attacks.test.ts',
      'the export and the feed’s version are 401 without a session, and with a forged one',
    ],
  },
  {
    attack: 'customer of another program',
    file: 'lib/service/events/read-feed.ts',
    search: 'sql`program_id = ${programId} AND ${scope}`',
    replace: 'scope',
    test: [
      'lib/service/dashboard/dashboard.db.test.ts',
      'a filter finds what it names, and nothing of another program',
    ],
  },
  {
    attack: 'routes of the scheduler without its secret',
    file: 'lib/integration/http.ts',
    search: 'if (secret && timingSafeEqual(hash(given), hash(`Bearer ${secret}`))) return true;',
    replace: 'if (secret && timingSafeEqual(hash(given), hash(given))) return true;',
    test: ['lib/integration/http.test.ts', 'the scheduler is known by its secret'],
  },
  {
    attack: 'the app without proxy.ts',
    file: 'app/(shop)/(account)/account/page.tsx',
    search: 'const { userId } = await auth.protect();',
    replace: "const userId = 'user_1';",
    test: ['tests/security/without-proxy.test.ts', ' shows nothing of what it shows a signed-in user'],
  },
  {
    attack: 'form of the dashboard without a session',
    file: 'lib/service/dashboard/authorized-action.ts',
    search: 'const access = await readAccess();',
    replace: "const access = (await readAccess()) ?? ({ programId: '' } as DashboardAccess);",
    test: ['lib/service/dashboard/actions.db.test.ts', 'is refused without a session, and from another site'],
  },
  {
    attack: 'form of the dashboard from another site',
    file: 'lib/service/dashboard/authorized-action.ts',
    search: 'if (!(await isSameOrigin()))',
    replace: 'if (false)',
    test: ['lib/service/dashboard/actions.db.test.ts', 'is refused without a session, and from another site'],
  },
  {
    attack: 'form of the dashboard on the page of another program',
    file: 'lib/service/dashboard/authorized-action.ts',
    search: "if (form.get('program_id') !== access.programId)",
    replace: 'if (false)',
    test: ['lib/service/dashboard/actions.db.test.ts', 'is refused where another tab has opened another program since'],
  },
  // part: demo
  {
    attack: 'form of the operator’s page from a customer',
    file: 'lib/shop/operator.ts',
    search: 'if (!isOperator({ userId, operatorUserIds, ...place })) notFound();',
    replace: '',
    test: ['tests/operator-actions.db.test.ts', 'a customer does neither, and learns nothing'],
  },
  // end: demo
  {
    attack: 'session token of another site of the domain',
    file: 'proxy.ts',
    search: 'authorizedParties, signInUrl',
    replace: 'signInUrl',
    test: ['tests/proxy.test.ts', "a session token counts only if it was issued for this app's own address"],
  },
  {
    attack: 'session of the dashboard from another site of the domain',
    file: 'lib/service/dashboard/session-cookie.ts',
    search: "name: isSecure ? '__Host-svc_dashboard' : 'svc_dashboard',",
    replace: "name: 'svc_dashboard',",
    test: [
      'lib/service/dashboard/session-cookie.test.ts',
      'on https a session is bound to its host: no other site of the domain can set it',
    ],
  },
  {
    attack: 'API key in a page',
    file: 'app/(shop)/pricing/page.tsx',
    search: 'title="One price for the whole studio"',
    replace: 'title={`One price ${process.env.SVC_API_KEY}`}',
    test: ['tests/security/secrets.test.ts', 'nothing that the build hands to browsers holds a secret'],
  },
  {
    attack: 'email addresses in logs of the service',
    file: 'lib/service/log.ts',
    search: "line.replace(EMAIL, '[email]')",
    replace: "line.replace(EMAIL, '$&')",
    test: ['lib/service/log.test.ts', 'an ID that is an email address is left out'],
  },
  {
    attack: 'email addresses in logs of the integration',
    file: 'lib/integration/log.ts',
    search: "return line.replace(EMAIL, '[email]');",
    replace: "return line.replace(EMAIL, '$&');",
    test: [
      'lib/integration/log.test.ts',
      'an ID that is an email address is left out, and what stands around it stays',
    ],
  },
  {
    attack: 'email addresses in stored URLs',
    file: 'lib/service/clean-input.ts',
    search: 'pair.some((text) => AT_SIGN.test(text))',
    replace: 'pair.length === 0',
    test: ['lib/service/clean-input.test.ts', 'is bounded, keeps its aff, and holds no address, whatever was sent'],
  },
  {
    attack: 'tracking service that hangs',
    file: 'lib/integration/outbox/send.ts',
    search: '{ timeoutMs: LIMIT_MS, ...service }',
    replace: '{ ...service, timeoutMs: 60_000 }',
    test: [
      'lib/integration/outbox/outbox.db.test.ts',
      'a hung service: the webhook is accepted within 6 s and the report waits',
    ],
  },
  {
    attack: 'database that hangs',
    file: 'lib/integration/outbox/deliver.ts',
    search: 'await within(STORE_LIMIT_MS, enqueue(',
    replace: 'await within(60_000, enqueue(',
    test: [
      'lib/integration/outbox/without-database.db.test.ts',
      'a database that accepts connections and never responds counts as down',
    ],
  },
  {
    attack: 'erasure while the database is down',
    file: 'lib/integration/outbox/deliver.ts',
    search: "if (report.kind === 'erasure') return 'unavailable';",
    replace: '',
    test: [
      'lib/integration/outbox/without-database.db.test.ts',
      'an erasure is asked for again: sent only, it would leave the email address in reports that are stored',
    ],
  },
  {
    attack: 'the app in a frame of another site',
    file: 'security-headers.mjs',
    search: "'frame-ancestors': [\"'none'\"],",
    replace: '',
    test: ['tests/security/attacks.test.ts', ' has the security headers'],
  },
  {
    attack: 'a response that a browser takes for another type',
    file: 'security-headers.mjs',
    search: "{ key: 'X-Content-Type-Options', value: 'nosniff' },",
    replace: '',
    test: ['tests/security-headers.test.ts', 'no browser guesses a type, and no other site gets more than the origin'],
  },
  {
    attack: 'another site that reads the path and query of our pages',
    file: 'security-headers.mjs',
    search: "{ key: 'Referrer-Policy', value: 'strict-origin-when-cross-origin' },",
    replace: "{ key: 'Referrer-Policy', value: 'unsafe-url' },",
    test: ['tests/security-headers.test.ts', 'no browser guesses a type, and no other site gets more than the origin'],
  },
  {
    attack: 'a buffer in front of a handler that cuts its bodies off',
    file: 'next.config.mjs',
    search: "proxyClientMaxBodySize: '80kb'",
    replace: "proxyClientMaxBodySize: '2kb'",
    test: ['tests/security/bodies.test.ts', ' bytes whole and refuses one more'],
  },
];
