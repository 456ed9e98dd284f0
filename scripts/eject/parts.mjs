// The parts that `npm run eject` removes, and what in the rest of the project belongs to each: files, scripts, packages,
// lint fences, migrations, and passages that read otherwise without it. Everything else is marked where it stands (strip.mjs).
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

/**
 * @typedef {object} Part
 * @property {string} what
 * @property {string} next what to do now that it is gone
 * @property {string[]} paths files and folders
 * @property {string[]} scripts of package.json
 * @property {string[]} dependencies
 * @property {string[]} fences words of the lint rules' patterns that name it
 * @property {RegExp} [migrations]
 * @property {string} [sampleName] what a name of yours takes the place of
 * @property {Array<[from: string, to: string]>} [sampleTexts] replaced in every file, before the name is
 * @property {RegExp} words what none of the remaining files names
 * @property {Record<string, Array<[from: string, to: string]>>} edits by file
 */

/** @param {string} folder @param {(name: string) => boolean} isMember */
const membersOf = (folder, isMember) =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter(isMember)
        .map((name) => path.posix.join(folder, name))
    : [];

// part: emulators + service
/** @param {string[]} numbers */
const decisions = (...numbers) => membersOf('docs/decisions', (name) => numbers.includes(name.slice(0, 4)));

/** What needs a whole local run; without one a single walk stays, which brings a service of its own. */
const WALKS = {
  paths: [
    ...membersOf('e2e', (name) => !['contract-only.spec.ts', 'fixtures.ts'].includes(name)),
    ...membersOf('scripts/bench', (name) => name !== 'traffic.mjs'),
    ...['scripts/gallery', 'scripts/gallery.mjs'],
    'emulators/testing/gallery.ts', // part: emulators
    ...['scripts/walkthrough', 'scripts/walkthrough.ts', 'docs/performance.md', 'docs/images'],
    ...['scripts/check-log.mjs', 'scripts/check-log.test.ts', 'tests/support/plain-react-app.tsx'],
  ],
  scripts: [
    'bench',
    'bench:tracker',
    'bench:ingest',
    'bench:scale',
    'bench:trace',
    'bench:dev',
    'bench:lighthouse',
    'walkthrough',
    'gallery',
    'test:gallery',
    'test:two-processes',
  ],
  dependencies: ['@axe-core/playwright', 'postcss'],
};

/** @type {Part['edits']} */
const WITHOUT_WALKS = WALKS.paths.some((file) => file.startsWith('e2e/'))
  ? {
      'package.json': [
        ['test.mjs e2e', 'test.mjs real-keys'],
        ['test.mjs postgres unit app', 'test.mjs postgres unit'],
      ],
      'scripts/test.mjs': [["'processes', 'app']", "'processes', 'real-keys']"]],
      'README.md': [['with e2e tests in a real Chromium', 'with an e2e test in a real Chromium']],
      'scripts/stack.mjs': [
        [
          ', directUrl: string }) => Promise<Result>} body `directUrl` leads to Next\n *   itself, past the recorder\n',
          ' }) => Promise<Result>} body\n',
        ],
        [`body({ ...run, directUrl: \`http://localhost:\${run.ports.appPort}\` })`, 'body(run)'],
      ],
      'docs/decisions/0003-one-test-command.md': [
        ['and runs the contract tests and the e2e tests against it', 'and runs one e2e test against it'],
      ],
      'playwright.config.ts': [
        [' To try one against `npm run dev`: npx playwright test e2e/walk.spec.ts', ''],
        [
          "  testIgnore: process.env.CONTRACT_ONLY ? [] : ['contract-only.spec.ts'], // `npm run test:real-keys` runs that one\n",
          '',
        ],
        [
          " Those marked @build are left out: only a production build has static pages, ` +\n        'their sizes and the back/forward cache. `npm run test:e2e` runs them.',\n",
          '`,\n',
        ],
        [' What only a build has is marked @build.', ''],
        ['  ...(isDevelopment && { grepInvert: /@build/ }),\n', ''],
      ],
      'scripts/test-real-keys.mjs': [[", CONTRACT_ONLY: '1' }", ' }']],
      'scripts/postgres.mjs': [['`npm run test:postgres` and the benchmarks', '`npm run test:postgres`']],
      'docs/commands.md': [
        ['; `npm run test:e2e -- -- e2e/walk.spec.ts` for one file', ''],
        ['build and e2e tests', 'build and the one e2e test'],
        [', and the contract tests; fastest', '; fastest'],
        ['the unit, database, contract and e2e tests on a PostgreSQL', 'the unit and database tests on a PostgreSQL'],
        [', but of `test:postgres` it runs only the unit and database tests', ''],
        ['; without keys it says what it runs on instead', ''],
        ['The tests, the benchmarks, `build`', 'The tests, `build`'],
        [
          '`npm test` builds into a folder of its own, `.next-…`, and leaves your build as it is;\n`test:real-keys`, `test:reliability` and `test:security` replace it.',
          '`npm test` and `test:real-keys` replace\nyour build in `.next`, as do `test:reliability` and `test:security`.',
        ],
      ],
    }
  : {};

/** @param {string} file @returns {Array<[from: string, to: string]>} */
const withoutWalks = (file) => WITHOUT_WALKS[file] ?? [];
// end: emulators + service

/** The guide for other apps, and its test: they need every part, and an app without one is no longer a source to copy from. */
const COPY = {
  paths: [
    ...['examples', 'docs/integrate.md', 'docs/recipes.md', 'scripts/copy', 'scripts/test-copy.mjs'],
    ...['tests/backfill.db.test.ts', 'tests/existing-customers.db.test.ts'],
  ],
  scripts: ['test:copy'],
};

// part: emulators, service
/** Without the emulators, no local run serves the contract tests. @type {Array<[from: string, to: string]>} */
const WITH_CONTRACT_TESTS = [
  [
    ", and the first key stays');\n",
    `, and the first key stays');
    const contract = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'contract', '--reporter=dot'];
    console.log(await runNode(contract, { ...env, CONTRACT_BASE_URL: appUrl }));
`,
  ],
];
// end: emulators, service

/** @type {Array<[from: string, to: string]>} */
const WITHOUT_EXAMPLES = existsSync('examples') ? [['"examples", ', '']] : [];

/** @type {Record<string, Part>} */
export const PARTS = {
  // part: emulators
  emulators: {
    what: 'the emulators of Clerk and Stripe, the control room, and the e2e tests that run on them',
    next: 'Set the keys of Clerk and Stripe in .env.local: docs/going-live.md says where each is.',
    paths: [
      ...['emulators', 'scripts/emulators.mjs', 'scripts/emulators.test.ts', 'scripts/control-room'],
      ...['tests/parts.test.ts', ...WALKS.paths],
      ...COPY.paths,
      ...['kill-emulators', 'local-run'].map((name) => `tests/reliability/${name}.test.ts`),
      'tests/property/emulator-books.program.test.ts',
      ...decisions('0013'),
      ...['scripts/setup/setup.program.test.ts', 'scripts/relay/relay.program.test.ts'],
    ],
    scripts: ['test:apps', 'test:emulators', ...WALKS.scripts, ...COPY.scripts],
    dependencies: WALKS.dependencies,
    fences: ['emulators'],
    words: /emulat/i,
    edits: {
      ...WITHOUT_WALKS,
      'README.md': [
        ...withoutWalks('README.md'),
        ['npm ci && npm run dev\n', 'npm ci && npm run setup && npm run dev\n'],
        ['Then open <', '`setup` asks for your test keys. Then open <'],
        ['runs the same app, with the real Clerk and Stripe', 'runs the app on them'],
      ],
      'CONTRIBUTING.md': [
        ['the real SDKs, a real database and the emulators', 'the real SDKs and a real database'],
        ['npm run dev\n', 'npm run setup\nnpm run dev\n'],
        [
          '`dev` runs the whole funnel on <http://localhost:3000>',
          '`setup` asks once for your test keys; `dev` runs the app on <http://localhost:3000>',
        ],
      ],
      'docs/commands.md': [
        ...withoutWalks('docs/commands.md'),
        ['`test:unit`, `test:programs` and `test:emulators`', '`test:unit` and `test:programs`'],
      ],
      'tsconfig.json': [['"emulators", ', ''], ...WITHOUT_EXAMPLES],
      'biome.json': [[', "!**/*.schema.json"', '']],
      'scripts/test-real-keys.mjs': [...withoutWalks('scripts/test-real-keys.mjs'), ...WITH_CONTRACT_TESTS], // part: service
      '.devcontainer/devcontainer.json': [
        ['[3000, 3001]', '[3000]'],
        ['"App" },\n    "3001": { "label": "Emulators" }', '"App" }'],
      ],
      'docs/architecture.md': [
        [' Without keys, the emulators stand in for Clerk and Stripe.', ''],
        ['Clerk, or `emulators/clerk`', 'Clerk'],
        ['Stripe, or `emulators/stripe`', 'Stripe'],
      ],
      'scripts/stack.mjs': [
        ...withoutWalks('scripts/stack.mjs'),
        ['{ isKept: !inMemory, isStripeEmulated: decideEmulated(env).stripe }', '{ isKept: !inMemory }'],
        ["import { choosePort, freePort } from './ports.mjs'", "import { choosePort } from './ports.mjs'"],
        ['{ isDeepStrictEqual, stripVTControlCharacters }', '{ isDeepStrictEqual }'],
        ['the database, the emulators and the app', 'the database and the app'],
      ],
      'scripts/prepare-data.mjs': [
        ['@param {{ isKept: boolean, isStripeEmulated: boolean }}', '@param {{ isKept: boolean }}'],
        ['{ isKept, isStripeEmulated }', '{ isKept }'],
      ],
      'scripts/use-environment.ts': [
        [
          '...usableVariables(env, generated)',
          '...Object.fromEntries(Object.entries(generated).filter(([name]) => !/_(API|PROXY|JS|UI)_URL$/.test(name)))',
        ],
        [
          ' Of a provider\n// with a key of yours nothing generated is used, so that the key is never sent to an address on this machine; and where\n// APP_URL is not this machine, nothing at all.',
          ' An\n// address of a provider that an earlier run has left is not used: your keys would be sent there. Where APP_URL is not this\n// machine, nothing generated is used.',
        ],
      ],
    },
  },
  // end: emulators
  // part: service
  service: {
    what: 'the embedded tracking service, its dashboard, and the tests of the contract',
    next: 'Set NEXT_PUBLIC_SVC_BASE_URL, NEXT_PUBLIC_SVC_PROGRAM_ID and SVC_API_KEY: your tracking service has them.',
    paths: [
      ...[
        'lib/service',
        'app/(service)',
        'prisma/service.prisma',
        'prisma/seed.ts',
        'openapi.yaml',
        'docs/conformance.md',
      ],
      ...[
        'tests/contract',
        'tests/property',
        'tests/support/program.ts',
        'tests/support/unique.ts',
        'tests/support/known-customer.ts',
        'tests/support/service-client.ts',
      ],
      ...['tests/support/payment-events.ts', 'tests/support/stripe-events.ts', 'scripts/bench'],
      ...['tests/reliability', 'tests/security', 'scripts/real-build.mjs', 'scripts/round-robin.mjs'],
      ...['scripts/defences', 'scripts/test-defences.mjs'],
      ...['built-app', 'calls', 'global-data-directory', 'load', 'tcp-proxy'].map((name) => `tests/support/${name}.ts`),
      ...['create-program.ts', 'create-key.ts', 'conformance.ts', 'write-openapi.ts', 'write-openapi.test.ts'].map(
        (name) => `scripts/${name}`,
      ),
      ...[
        'scripts/conformance.program.test.ts',
        'scripts/client-address.mjs',
        'scripts/client-address.program.test.ts',
      ],
      ...['tour', 'scenarios', 'run-scenario', 'visitor'].map((name) => `scripts/control-room/${name}.mjs`),
      ...['tour', 'visitor.program'].map((name) => `scripts/control-room/${name}.test.ts`),
      ...['scripts/doctor/payment-account.ts', 'scripts/doctor/payment-account.test.ts'],
      ...[
        'scripts/database/migrations-of-parts.mjs',
        'scripts/test-mode/service-events.ts',
        ...WALKS.paths,
        ...COPY.paths,
      ],
      ...decisions('0006', '0007', '0008', '0009', '0010'),
    ],
    scripts: [
      'program:create',
      'key:create',
      'conformance',
      'test:reliability',
      'test:security',
      'test:defences',
      ...WALKS.scripts,
      ...COPY.scripts,
    ],
    dependencies: ['ajv', 'fast-check', 'yaml', ...WALKS.dependencies],
    fences: ['lib/service', '**/service/**', '(service)'],
    migrations: /^\d+_service/,
    words:
      /lib\/service|app\/\(service\)|(program|key):create|\.service\.tsx?\b|embedded (tracking )?service|DEMO_PARTNER/,
    edits: {
      ...WITHOUT_WALKS,
      'tsconfig.json': WITHOUT_EXAMPLES,
      'package.json': [
        ...withoutWalks('package.json'),
        [': Clerk, Stripe and an embedded tracking service.', ', with Clerk and Stripe.'],
      ],
      'README.md': [
        ...withoutWalks('README.md'),
        [
          '```sh\nnpm ci &&',
          'Set `NEXT_PUBLIC_SVC_BASE_URL`, `NEXT_PUBLIC_SVC_PROGRAM_ID` and `SVC_API_KEY` of your tracking service in `.env.local`. Then:\n\n```sh\nnpm ci &&',
        ],
        ['localhost:3000/?aff=ada>', "localhost:3000/?aff=CODE>, with a partner's code"],
        [
          '`setup` writes\n`.env.local` and creates the plans',
          "`setup` adds\nthem to `.env.local`, beside the tracking service's, and creates the plans",
        ],
        ['| open `/?aff=ada` |', "| open `/?aff=CODE`, with a partner's code |"],
      ],
      'docs/going-live.md': [
        [
          '```sh\nnpm run setup\nnpm run dev\n',
          'Set the three variables of [your tracking service](#3-the-tracking-service) in `.env.local`. Then:\n\n```sh\nnpm run setup\nnpm run dev\n',
        ],
        ['To use a remote service instead, set', 'Set'],
        [" With a remote service, it leaves out the embedded one's.", ''],
        ['\nnpm run test:test-mode\n', '\nTEST_PARTNER=CODE npm run test:test-mode\n'],
        [
          ' With a remote tracking service, first set [its three\nvariables](#3-the-tracking-service), and name one of its partners: `TEST_PARTNER=…`.',
          ' `TEST_PARTNER` is the code of one of your partners.',
        ],
      ],
      'docs/operations.md': [
        [' of the integration and of the tracking service has', ' of the integration has'],
        [
          ' A longer download is cut off, so that its receiver sees an error\n  and not a short file (behind a proxy only if that speaks HTTP/1.1 to the process). Let',
          ' Let',
        ],
      ],
      'docs/deploy.md': [
        ['`doctor`, `reconcile`, `program:create` and `key:create` read', '`doctor` and `reconcile` read'],
      ],
      'scripts/setup/deployed.ts': [['both Stripe endpoints', 'the Stripe endpoint']],
      'SECURITY.md': [
        ["another program's data", "another customer's data"],
        ['take the service down', 'take the app down'],
      ],
      'docs/commands.md': [
        ...withoutWalks('docs/commands.md'),
        [', each section of the contract with its tests', ''],
        [', as do `test:reliability` and `test:security`', ''],
        [' or on the demo program, a live click', ', a live click'],
      ],
      'scripts/test-mode/funnel.spec.ts': [
        [
          "/** A partner of the demo program; name one of your own for a remote tracking service. */\nconst PARTNER = process.env.TEST_PARTNER || 'ada';",
          "const PARTNER = process.env.TEST_PARTNER;\nif (!PARTNER) throw new Error('Name one of your partners: TEST_PARTNER=CODE npm run test:test-mode');",
        ],
        ["NEXT_PUBLIC_SVC_PROGRAM_ID || 'prg_demo'", "NEXT_PUBLIC_SVC_PROGRAM_ID ?? ''"],
      ],
      'scripts/control-room/profile.mjs': [
        [', the code behind each message, the tour and the\n// scenarios.', '\n// and the code behind each message.'],
        ["...(isEmbedded ? { paths: ['/dashboard'] } : REMOTE)", '...REMOTE'],
      ],
      'scripts/doctor.ts': [['; on the demo program it always does, for ada', '']],
      'scripts/doctor/service.ts': [
        ["const DEMO_PARTNER = 'ada';\n\n", ''],
        ["  const code = partner ?? (programId === 'prg_demo' ? DEMO_PARTNER : undefined);\n", ''],
        ['partner: string | undefined)', 'code: string | undefined)'],
      ],
      'app/globals.css': [
        [
          ' * One token set, two looks. A layout names its room with data-room="shop | service"; the shop is the default.\n',
          '',
        ],
      ],
      'app/globals.test.ts': [
        [
          "describe.each(['shop', 'service'])('the %s room', (room) => {",
          "describe.each(['shop'])('the %s room', (room) => {",
        ],
      ],
      'components/ui/format-money.test.ts': [['{ formatMoney, formatMoneyShort }', '{ formatMoney }']],
      'components/ui/page-shell.tsx': [["room: 'shop' | 'service'", "room: 'shop'"]],
      'vitest.config.ts': [["'tests/{contract,reliability,security}/**', ", '']],
      'docs/decisions/0004-static-pages.md': [
        [
          "- **One set of design tokens with two looks.** The shop and the service's dashboard are two companies; a layout names its\n  palette with `data-room`. `app/globals.test.ts`",
          '- **One set of design tokens.** `app/globals.test.ts`',
        ],
      ],
      'docs/architecture.md': [['T as Tracking service<br/>app/(service), lib/service', 'T as Tracking service']],
      'lib/integration/env.ts': [
        [
          '\n    .optional()\n    .describe("the tracking service\'s address; unset = this app serves it")',
          '.describe("the tracking service\'s address")',
        ],
      ],
      '.env.example': [['Its address; blank = this app serves it', 'Its address']],
      'instrumentation.node.ts': [
        ["isEmbedded() ? 'embedded' : process.env.NEXT_PUBLIC_SVC_BASE_URL", 'process.env.NEXT_PUBLIC_SVC_BASE_URL'],
      ],
      Dockerfile: [['"--import", "./scripts/client-address.mjs", ', '']],
      'vercel.json': [[',\n    { "path": "/api/cron/retention", "schedule": "45 5 * * *" }', '']],
      'prisma.config.ts': [['migrationsDirectory(env)', "'prisma/migrations'"]],
      'scripts/docs/read-docs.test.ts': [[', testsBySection', '']],
      'scripts/test-real-keys.mjs': [
        ...withoutWalks('scripts/test-real-keys.mjs'),
        ['runNode, runScript, spawnNode', 'runNode, spawnNode'],
      ],
      'scripts/prepare-data.mjs': [
        ["'lib/integration/env-rules.ts', 'lib/service/env.ts'", "'lib/integration/env-rules.ts'"],
        ['runScript(script, env, isKept ? WHEN_KEPT[inputs.name] : [])', 'runScript(script, env)'],
        ["diagnoseDatabase(env.DATABASE_URL ?? '', migrationsFor(env))", "diagnoseDatabase(env.DATABASE_URL ?? '')"],
      ],
    },
  },
  // end: service
  // part: demo
  demo: {
    what: 'the demo product: its name, its copy, bank transfers and the operator page',
    next: `Write your landing page, app/(shop)/page.tsx, and your plans, lib/integration/plans.ts.${
      existsSync('scripts/gallery')
        ? '\nThe pictures of your pages are new: npm run test:gallery -- -- --update-snapshots.'
        : ''
    }`,
    paths: [
      ...[...COPY.paths, 'app/(shop)/studio-week.tsx', 'app/(shop)/api/bank-transfer', 'app/(shop)/(account)/operator'],
      ...[
        'app/(shop)/(account)/account/open-transfers.tsx',
        'app/(shop)/transfer-form.tsx',
        'app/(shop)/(account)/account/transfer-card.tsx',
        'lib/shop/outbox.ts',
        'lib/shop/outbox.db.test.ts',
        'tests/operator-actions.db.test.ts',
        'lib/shop/page-cursor.ts',
        'lib/shop/page-cursor.test.ts',
        'lib/shop/request-time.ts',
        'prisma/shop.prisma',
        'e2e/operator.spec.ts',
      ],
      ...['transfers.ts', 'transfers.db.test.ts', 'transfer-period.test.ts', 'operator.ts', 'operator.test.ts'].map(
        (name) => `lib/shop/${name}`,
      ),
      ...membersOf('scripts/gallery/screenshots', (name) => name.startsWith('shop-')), // of the sample
      'docs/images',
    ],
    scripts: COPY.scripts,
    dependencies: [],
    fences: [],
    migrations: /^\d+_shop/,
    sampleName: 'Larkdesk',
    sampleTexts: [
      ['Larkdesk Studio', 'Larkdesk'],
      ['studio_', ''],
      ['Studio monthly', 'Monthly'],
      ['Studio yearly', 'Yearly'],
      ['Studio lifetime', 'Lifetime'],
      ['One price for the whole studio', 'Plans'],
      ['Every plan includes unlimited rooms, teachers and guests.', 'Choose the one that fits.'],
      ['Choose a plan to take bookings.', 'Choose a plan to start.'],
    ],
    words:
      /throughline|larkdesk|studio_|Studio (monthly|yearly|lifetime)|(the|small) studios?\b|the demo product|code (you|people) copy|bank.?transfer|shop.?transfer|shop\/transfer|\/operator|OPERATOR_|operator(-| page|\.ts)/i,
    edits: {
      'tsconfig.json': WITHOUT_EXAMPLES,
      'package.json': [
        [
          "A Next.js app that attributes sign-ups and sales to partners' referral links, end to end",
          'Larkdesk, an app whose sign-ups and sales are attributed to partners',
        ],
      ],
      '.devcontainer/devcontainer.json': [['"throughline"', '"Larkdesk"']],
      'README.md': [
        [
          '# Throughline\n\nA Next.js reference app for partner attribution, for teams that use Clerk and Stripe. A visitor',
          '# Larkdesk\n\nA Next.js app with partner attribution. A visitor',
        ],
        ['**the code you copy**', 'partner attribution: click ID, webhooks, outbox, checkout metadata'],
        ['the demo product around it', 'the product around it'],
      ],
      'AGENTS.md': [
        ['the code that people copy', 'partner attribution'],
        ['the demo product around it', 'the product around it'],
      ],
      'CONTRIBUTING.md': [
        [
          'Thank you for improving the project. It is code that people copy, so a change is judged by how it reads as much as by what it does.',
          'A change is judged by how it reads as much as by what it does.',
        ],
        [
          'for someone who uses or copies the code. Note anything they have to do',
          'and what anyone who runs it has to do. Note that',
        ],
      ],
      'docs/decisions/0001-parts-over-http.md': [
        [
          'A demo that imports one from another would prove nothing about the integration.',
          'An app that imports one from another would prove nothing about its integration.',
        ],
        [
          '`lib/integration` is the code you copy, `lib/shop` the demo product around it',
          '`lib/integration` is partner attribution, `lib/shop` the product around it',
        ],
        ['The demo makes a few HTTP calls to itself', 'A local run makes a few HTTP calls to itself'],
      ],
      'lib/integration/README.md': [['# Integration: the code you copy', '# Integration']],
      'biome.json': [
        [
          'Integration code is copied into other products: it talks',
          'Integration code knows no part of the product: it talks',
        ],
      ],
      'app/(shop)/plan-offer.tsx': [
        [
          "'Unlimited rooms and teachers', 'Online booking and waiting lists', 'Email reminders'",
          "'What the monthly plan includes'",
        ],
        ['The monthly plan for studios in Japan, billed', 'The monthly plan, billed'],
      ],
      'docs/commands.md': existsSync('scripts/walkthrough.ts') ? [[' (the one in the README)', '']] : [],
      'e2e/README.md': [
        ['a visitor, a customer or an operator does', 'a visitor or a customer does'],
        ["| [operator](operator.spec.ts) | bank transfers and dead letters on the operator's page |\n", ''],
      ],
      'tests/security/attacks.test.ts': [["'/api/bank-transfer', ", '']],
      'app/(shop)/page.tsx': [
        ['The booking calendar for small studios', 'Larkdesk'],
        [
          'Classes, appointments and payments in one place. Share a link, and guests book and pay online.',
          'This page is yours to write.',
        ],
        ['One price for the studio, not per seat', 'Plans'],
        [' a month, for every room and teacher.', ' a month.'],
      ],
      'app/layout.tsx': [
        ['Larkdesk, the booking calendar for small studios', 'Larkdesk'],
        ['Classes, appointments and payments for small studios, in one calendar.', 'Larkdesk and its plans.'],
      ],
      'app/(shop)/shop-shell.tsx': [['Larkdesk is the example product of a reference integration.', 'Larkdesk.']],
      ...Object.fromEntries(
        ['account/page.tsx', 'account/plans/page.tsx', 'checkout/page.tsx'].map((page) => [
          `app/(shop)/(account)/${page}`,
          [['(userId, { grants })', '(userId)']],
        ]),
      ),
      'docs/decisions/0015-checkout-and-fulfilment.md': [
        ['\n  A bank transfer is not posted again by itself: a link to the page would place an order.', ''],
      ],
      'e2e/shop.spec.ts': [["    '/operator',\n", '']],
      'e2e/page-snapshots.ts': [
        ['"The booking calendar for small studios"', '"Larkdesk"'],
        [
          '  - figure:\n    - table "Clay Street Pottery, this week"\n  - region "What Larkdesk does":\n    - heading [level=2]\n    - heading [level=2]\n    - heading [level=2]\n',
          '',
        ],
        ['"One price for the studio, not per seat"', '"Plans"'],
        ['\n  - button "Pay by bank transfer for Studio monthly"', ''],
        ['\n  - button "Pay by bank transfer for Studio monthly"', ''],
        [
          '  \'/operator\': accountFrame(`\n  - heading "Operator" [level=1]\n  - heading "Health" [level=2]\n  - heading "Bank transfers" [level=2]\n  - heading "Outbox" [level=2]`),\n',
          '',
        ],
      ],
    },
  },
  // end: demo
};

/** What removes parts: it leaves with the last of them. @type {Part} */
export const EJECT = {
  what: 'the command that removes parts',
  next: '',
  paths: ['scripts/eject.mjs', 'scripts/eject', 'scripts/test-eject.mjs', 'docs/eject.md'],
  scripts: ['eject', 'test:eject'],
  dependencies: [],
  fences: [],
  words: /npm run (test:)?eject|part: eject/,
  edits: {
    'scripts/docs/read-docs.mjs': [
      [
        "  const visible = markdown.replace(/^<!-- (?:part|end): .*-->\\n/gm, '').replace(/ ?<!-- part: [^>]*-->/g, '');\n",
        '',
      ],
      ['marked.parse(visible)', 'marked.parse(markdown)'],
      ['.exec(visible)', '.exec(markdown)'],
    ],
    'scripts/docs/read-docs.test.ts': [
      [
        "test('marks of removable parts are not shown', () => {\n  const markdown = '<!-- part: service -->\\ntext <!-- part: service -->\\n<!-- end: service -->\\n';\n  expect(renderDocument('docs/new.md', { ...options, markdown }).html).toBe('<p>text</p>\\n');\n});\n\n",
        '',
      ],
    ],
  },
};
