// The ports of a local run. They are chosen before anything starts, since Next writes addresses into what it builds.
import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** @typedef {Record<string, string | undefined>} Environment */

const PORTS_TRIED = 100;
/** Each process draws from a part of its own, as another one would get the same port until the server listens. */
const FIRST_DRAWN = 20_000 + (process.pid % 30) * 400;
const LAST = 65_535;
const COMMAND_SHOWN = 80;

/** On macOS two servers can each hold one of these on the same port, and `localhost` may be either of the first two. */
const EVERY = ['127.0.0.1', '::1', '0.0.0.0', '::'];

/** @type {Set<number>} */
const given = new Set();

/**
 * A port on which no process listens at this moment, another one at each call. It is none that a system gives to a connection
 * or to a server without a port of its own: the server that it is for may start half a minute later.
 * @param {string} host
 */
export async function freePort(host) {
  for (;;) {
    const port = randomInt(FIRST_DRAWN, FIRST_DRAWN + 400);
    if (given.has(port)) continue;
    given.add(port);
    if (!(await findObstacle(port, [host]))) return port;
  }
}

/**
 * The port that a variable names, else the first free one from `first` on, as `next dev` does.
 * @param {Environment} env @param {string} name a variable @param {number} first
 * @returns {Promise<number>} rejects if the named port is malformed or taken
 */
export async function choosePort(env, name, first) {
  if (env[name] !== undefined) {
    const port = Number(env[name]);
    if (!Number.isInteger(port) || port < 1 || port > LAST) {
      throw new Error(`${name} is malformed (has to be a number from 1 to ${LAST}). Leave it unset for ${first}.`);
    }
    const obstacle = await findObstacle(port);
    if (!obstacle) return port;
    if (obstacle === 'EACCES') {
      throw new Error(`Port ${port} may not be opened by this user. Set ${name} to a port above 1023.`);
    }
    const other = await nextFreePort(port + 1);
    throw new Error(
      `Port ${port} is in use by ${describeHolder(port)}. Stop it, or set ${name} to another port${other ? `, such as ${other}` : ''}.`,
    );
  }
  const port = await nextFreePort(first);
  if (!port) throw new Error(`No port from ${first} on is free. Set ${name} to one that is.`);
  if (port > first) console.log(`Port ${first} is in use by ${describeHolder(first)}. Using ${port} instead.`);
  return port;
}

/** @param {number} first */
async function nextFreePort(first) {
  for (let port = first; port < first + PORTS_TRIED && port <= LAST; port++) {
    if (!(await findObstacle(port))) return port;
  }
  return null;
}

/**
 * Why this user cannot open a port, or null. It is tried on every address, as a server on another one would answer some of the
 * requests; an address that this machine does not have is no obstacle.
 * @param {number} port @param {string[]} [hosts] @returns {Promise<'EADDRINUSE' | 'EACCES' | null>}
 */
async function findObstacle(port, hosts = EVERY) {
  for (const host of hosts) {
    const probe = createServer();
    try {
      await once(probe.listen(port, host), 'listening');
      probe.close();
      await once(probe, 'close');
    } catch (error) {
      const { code } = /** @type {NodeJS.ErrnoException} */ (error);
      if (code === 'EADDRINUSE' || code === 'EACCES') return code;
    }
  }
  return null;
}

/** The process that listens on a port, as far as the system tells. @param {number} port */
function describeHolder(port) {
  const pid =
    /^\d+/.exec(run('lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-t'])) ??
    /(?<=pid=)\d+/.exec(run('ss', ['-ltnpH', `sport = :${port}`]));
  if (!pid) return 'another process';
  const command = run('ps', ['-o', 'args=', '-p', pid[0]]).trim();
  const shown = command.length > COMMAND_SHOWN ? `${command.slice(0, COMMAND_SHOWN)}…` : command;
  return `process ${pid[0]}${shown && ` (${shown})`}`;
}

/** A command's output; empty if the command fails or is not installed. @param {string} command @param {string[]} args */
function run(command, args) {
  try {
    return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return '';
  }
}
