#!/usr/bin/env node
// Stands where Prisma's CLI expects its native schema engine, which it would download. The same JSON-RPC on standard
// input and output, answered by the official WebAssembly build of the same engine. prisma.config.ts points here;
// docs/decisions/0002 says why. Not used by the app: only `prisma` commands run it.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';

const ENGINE = '@prisma/schema-engine-wasm/schema_engine_bg';

/** The CLI skips the first line of standard error and shows the last ERROR record of the rest. */
function log(/** @type {'INFO' | 'ERROR'} */ level, /** @type {string} */ message, fields = {}) {
  const record = { level, target: 'schema_engine::logger', fields: { message, ...fields } };
  process.stderr.write(`${JSON.stringify(record)}\n`);
}

async function loadEngine() {
  const glue = await import(ENGINE);
  const wasm = createRequire(import.meta.url)
    .resolve(ENGINE)
    .replace(/\.js$/, '.wasm');
  const { instance } = await WebAssembly.instantiate(readFileSync(wasm), { './schema_engine_bg.js': glue });
  glue.__wbg_set_wasm(instance.exports);
  /** @type {() => void} */ (instance.exports.__wbindgen_start)();
  return glue;
}

const argv = process.argv.slice(2);
const messageOf = (/** @type {any} */ error) => String(error?.meta?.message ?? error?.message ?? error);

if (argv.includes('--version')) {
  console.log(`schema-engine-wasm ${(await loadEngine()).version()}`);
  process.exit(0);
}

const { migrationAdapterFactory } = await import('./adapter.mjs');
const datasource = argv[argv.indexOf('--datasource') + 1];
const factory = migrationAdapterFactory(argv.includes('--datasource') ? JSON.parse(datasource ?? '{}').url : '');

log('INFO', 'schema-engine-wasm');
process.on('uncaughtException', (error) => {
  log('ERROR', messageOf(error));
  process.exit(1);
});

if (argv.includes('cli')) await runCommand(argv.at(-1) ?? '');
else serveRpc(await loadEngine());

/** @param {string} command */
async function runCommand(command) {
  try {
    if (command !== 'can-connect-to-database' && command !== 'create-database') {
      throw new Error(`The command ${command} is not supported here.`);
    }
    const adapter = await factory.connect();
    await adapter.queryRaw({ sql: 'SELECT 1', args: [], argTypes: [] });
    await adapter.dispose();
    await factory.close();
    process.exit(0);
  } catch (error) {
    log('ERROR', messageOf(error), { error_code: 'P1001' });
    process.exit(1);
  }
}

/** @param {any} glue */
function serveRpc(glue) {
  const bound = bindMigrationAwareSqlAdapterFactory(/** @type {any} */ (factory));
  const datamodels = argv.flatMap((flag, index) => {
    const file = argv[index + 1];
    return flag === '--datamodels' && file ? [[file, readFileSync(file, 'utf8')]] : [];
  });
  /** @type {Promise<any> | undefined} */
  let engine;
  const getEngine = () =>
    (engine ??= glue.SchemaEngine.new({ datamodels: datamodels.length > 0 ? datamodels : undefined }, () => {}, bound));

  const reply = (/** @type {object} */ message) =>
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

  let hasApplied = false;
  /**
   * `evaluateDataLoss` takes the migrations' schema from the engine's cache: this build cannot make a shadow database
   * there. `devDiagnostic` fills the cache, except on a database that lacks migrations.
   * @param {any} target @param {string} method @param {any} params
   */
  async function callEngine(target, method, params) {
    if (method === 'evaluateDataLoss' && hasApplied) {
      await target.devDiagnostic({ migrationsList: params.migrationsList, filters: params.filters });
    }
    const result = await target[method === 'getDatabaseVersion' ? 'version' : method](params);
    if (method === 'applyMigrations') hasApplied = result.appliedMigrationNames.length > 0;
    return result;
  }

  /** @param {{ id: number, method: string, params: unknown }} request @returns {Promise<void>} */
  async function answer({ id, method, params }) {
    try {
      if (method === 'createDatabase') {
        reply({ id, result: { databaseName: 'embedded' } });
        return;
      }
      const result = await callEngine(await getEngine(), method, params);
      if (method === 'diff' && result.stdout != null) {
        reply({ id: 1e6 + id, method: 'print', params: { content: result.stdout } });
      }
      reply({ id, result: result ?? null });
    } catch (error) {
      const code = /** @type {any} */ (error)?.code;
      const cause = /** @type {any} */ (bound).errorRegistry?.consumeError?.(code)?.error ?? error;
      log('ERROR', messageOf(cause));
      const data = {
        is_panic: false,
        message: messageOf(cause),
        meta: cause?.meta,
        error_code: typeof cause?.code === 'string' ? cause.code : undefined,
      };
      reply({ id, error: { code: 4466, message: 'An error happened. Check the data field for details.', data } });
    }
  }

  let queue = Promise.resolve();
  const lines = createInterface({ input: process.stdin });
  lines.on('line', (line) => {
    const request = JSON.parse(line);
    if (request.method) queue = queue.then(() => answer(request)); // the rest acknowledge our print
  });
  lines.on('close', () =>
    queue.finally(async () => {
      await factory.close();
      process.exit(0);
    }),
  );
}
