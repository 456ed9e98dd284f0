// The program: starts an instance, says how to reach it, and stops it cleanly. Reads the environment, as bin/register.mjs does.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, existsSync, mkdirSync, openAsBlob, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { redirectWebhooks } from './control-room/state';
import { StateFileError } from './core/database';
import { type Emulator, openEmulator, variablesOf } from './core/emulator';
import { followLink, replaceFile } from './core/files';
import { DirectoryBusyError, DirectoryUnusableError } from './core/lock';
import { describeDirectory, isHelpAsked, type Options, readOptions, USAGE, UsageError } from './options';
import { loadProfile, ProfileError } from './profile-file';
import { startRecorder } from './recorder/recorder';
import { checkPort, reservePort } from './reserve-port';
import { serveEmulator } from './server';

const BEGIN = '# emulators: begin';
const END = '# emulators: end';
const PARENT = process.ppid;
const PARENT_CHECK_MS = 500;
/** npm passes on a Ctrl-C that the terminal has sent to this process, too: a signal this soon after another is the same one. */
const SAME_SIGNAL_MS = 500;

/** Ports up to this one need special rights. */
const LAST_PRIVILEGED = 1023;
const USUAL_PORT = 3001;

type Running = { emulator: Emulator; stop: () => Promise<void> };

/** Sends a message to the parent that forked this process, if it still exists. */
const tell = (message: object) => process.send?.(message, undefined, undefined, () => {});

/** Starts everything that the options ask for, or nothing. */
async function start(options: Options): Promise<Running> {
  const { origin, protocol, hostname, port: appPort } = new URL(options.config.appUrl);
  if ((protocol !== 'http:' || hostname !== 'localhost') && !options.forwards.clerk) {
    console.warn(
      `The app is at ${origin}, and the emulated Clerk is at http://localhost. Browsers share no session between the two: open the app at http://localhost.`,
    );
  }
  const first = Number(appPort) > LAST_PRIVILEGED ? Number(appPort) + 1 : USUAL_PORT;
  const reserved = options.port ? null : await reservePort(first);
  const port = options.port ?? reserved?.port;
  if (port === undefined) throw new UsageError(`No port from ${first} on is free. Name one with --port.`);
  const from = options.importFile ? await openState(options.importFile) : null;
  if (options.exportFile) prepareExport(options.exportFile);
  const description = options.profileFile ? await loadProfile(options.profileFile) : null;
  const config = {
    ...options.config,
    url: `http://localhost:${port}`,
    recorder: options.recorder,
    forwards: options.forwards,
    ...(Object.keys(options.forwards).length > 0 && { foreignSecrets: secretsOf(process.env) }),
    ...(description && {
      profile: description.profile,
      ...(description.scenario && { scenario: description.scenario }),
    }),
  };
  const named = [options.port, options.recorder?.port].filter((one) => typeof one === 'number');
  // An import fills its folder, and the next one would be refused. Else an error names the folder's owner before the port's.
  if (from) await checkPorts(named);
  // A child ends with its parent, so the parent is the process to stop.
  const pid = options.isChild ? process.ppid : process.pid;
  const emulator = await openEmulator(config, { pid, ...(from && { from }) });
  const stops: Array<() => Promise<void>> = [];
  const stop = async () => {
    await emulator.deliveries.stop(); // while the recorder, which they pass through, still runs
    for (const end of stops.reverse()) await end();
    await Promise.all([emulator.deliveries.stop(), emulator.trace.stop()]); // also what the last requests have started
    try {
      if (options.exportFile) await writeState(emulator, options.exportFile);
    } finally {
      await emulator.close();
    }
  };
  try {
    // The secrets come from the file, but the app may be a different one.
    if (from) await emulator.database.change((sql) => redirectWebhooks(emulator, sql));
    else await checkPorts(named);
    stops.push(await serveEmulator(emulator, reserved?.listener));
    if (options.recorder) stops.push(await startRecorder(emulator, options.recorder));
    if (options.envFile) writeVariables(options.envFile, variablesOf(emulator));
    return { emulator, stop };
  } catch (error) {
    for (const end of stops.reverse()) await end();
    await emulator.close();
    throw error;
  }
}

async function checkPorts(ports: number[]): Promise<void> {
  for (const port of ports) await checkPort(port);
}

/** The signing secrets that the app was started with, if a provider is not emulated. */
const secretsOf = (env: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (/WEBHOOK\w*SECRET/.test(name) && value ? [[name, value]] : [])),
  );

async function openState(file: string): Promise<Blob> {
  if (statSync(file, { throwIfNoEntry: false })?.isFile()) return await openAsBlob(file);
  throw new UsageError(`--import: there is no file ${file}.`);
}

/** Makes the folder of the export, which is written at the end, when it is too late to name another one. */
function prepareExport(file: string): void {
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UsageError(`--export: ${file} is a folder. Name a file.`);
  }
  try {
    const target = followLink(file);
    mkdirSync(path.dirname(target), { recursive: true });
    accessSync(existsSync(target) ? target : path.dirname(target), constants.W_OK);
  } catch (error) {
    throw new UsageError(`--export: ${file} cannot be written: ${error instanceof Error ? error.message : error}.`);
  }
}

async function writeState({ database }: Emulator, file: string): Promise<void> {
  replaceFile(file, new Uint8Array(await (await database.dump()).arrayBuffer()));
}

/** Replaces this program's own part of an environment file; the other lines stay. */
function writeVariables(file: string, variables: Record<string, string>): void {
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const rest = before.replace(new RegExp(`${BEGIN}[\\s\\S]*?${END}\\n?`), '');
  const lines = Object.entries(variables).map(([name, value]) => `${name}='${value}'`);
  const gap = rest && !rest.endsWith('\n') ? '\n' : '';
  replaceFile(file, `${rest}${gap}${BEGIN}\n${lines.join('\n')}\n${END}\n`);
}

async function runUntilStopped({ emulator, stop }: Running, isChild: boolean): Promise<void> {
  if (!isChild) {
    console.log(`State: ${describeDirectory(emulator.config.directory)}. The app's variables:\n`);
    for (const [name, value] of Object.entries(variablesOf(emulator))) console.log(`${name}='${value}'`);
    console.log('');
  }
  console.log(`ready ${emulator.config.url}`);
  tell({ ready: emulator.config.url, variables: variablesOf(emulator) });
  await new Promise<void>((resolve) => {
    if (isChild && !process.connected) resolve(); // a parent that ended while this was starting sends no event
    process.on('SIGTERM', resolve);
    // Ctrl-C and a closed terminal reach the whole process group: a child waits for its parent, which stops the app
    // first, to disconnect.
    process.on('SIGHUP', () => isChild || resolve());
    if (isChild) process.on('SIGINT', () => {});
    else whenInterrupted(resolve);
    if (isChild) process.on('disconnect', resolve);
    else whenNpmEnds(resolve);
  });
  await stop();
}

/** Calls `stop` at the first Ctrl-C. Another one ends this process at once. */
function whenInterrupted(stop: () => void): void {
  let first: number | undefined;
  process.on('SIGINT', () => {
    first ??= performance.now();
    if (performance.now() - first > SAME_SIGNAL_MS) process.exit(130);
    stop();
  });
}

/** npm and npx start this through a shell and signal only the shell: without this check, this process would keep running. */
function whenNpmEnds(stop: () => void): void {
  if (!process.env.npm_lifecycle_event) return; // another shell may exit and leave this running
  setInterval(() => process.ppid === PARENT || stop(), PARENT_CHECK_MS).unref();
}

/** @returns the command's exit code */
async function runCommand({ emulator, stop }: Running, [command = '', ...args]: string[]): Promise<number> {
  const env = { ...process.env, ...variablesOf(emulator) };
  const child = spawn(command, args, { stdio: 'inherit', env });
  process.on('SIGINT', () => {}); // the command gets it too, and this exits after it
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  whenNpmEnds(() => child.kill('SIGTERM'));
  try {
    const [code] = (await once(child, 'exit')) as [number | null];
    return code ?? 1;
  } catch (error) {
    throw new UsageError(`${command} cannot be started: ${error instanceof Error ? error.message : error}.`);
  } finally {
    whenInterrupted(() => {});
    await stop();
  }
}

try {
  const args = process.argv.slice(2);
  if (isHelpAsked(args)) {
    console.log(USAGE);
    process.exit();
  }
  const options = readOptions(args);
  const running = await start(options);
  if (options.command.length > 0) process.exitCode = await runCommand(running, options.command);
  else await runUntilStopped(running, options.isChild);
  process.exit();
} catch (error) {
  const expected = describeExpected(error);
  if (expected === null || !process.send) console.error(expected ?? error);
  tell({ error: expected ?? (error instanceof Error ? error.message : String(error)) });
  process.exit(1);
}

/** The message of an expected error, which says what to change; null for an error that needs its stack. */
function describeExpected(error: unknown): string | null {
  const expected = [UsageError, ProfileError, DirectoryBusyError, DirectoryUnusableError];
  if (error instanceof Error && expected.some((kind) => error instanceof kind)) return error.message;
  if (error instanceof StateFileError) return `--import: ${error.message}`;
  const isPortTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE' && 'port' in error;
  return isPortTaken ? `Port ${error.port} is in use. Stop what listens there, or name another port.` : null;
}
