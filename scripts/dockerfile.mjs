// Runs the stages of a Dockerfile in folders of this machine, for `npm run test:deploy`: as much of the format as ours uses.
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { listFiles } from './git-files.mjs';

/** @typedef {Record<string, string | undefined>} Environment */
/** @typedef {{ word: string, rest: string }} Instruction */
/** @typedef {{ name: string, base: string, instructions: Instruction[] }} Stage */
/** @typedef {{ directory: string, env: Environment, user: string, command: string[], health: string[] }} Image */

/** The stages of a Dockerfile by name. @param {string} text @returns {Map<string, Stage>} */
export function readStages(text) {
  const stages = new Map();
  /** @type {Stage | undefined} */
  let stage;
  for (const line of text.replace(/\\\n/g, ' ').split('\n')) {
    const [, word = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    if (word === 'FROM') {
      const [base = '', , name = ''] = rest.split(/\s+/);
      stages.set(name, (stage = { name, base, instructions: [] }));
    } else if (word) stage?.instructions.push({ word, rest });
  }
  return stages;
}

/**
 * Whether an ignore file, of Docker or of Git, leaves out a file of the folder that it lies in. The last line that matches decides.
 * @param {string} text @returns {(file: string) => boolean}
 */
export function readIgnoreFile(text) {
  const lines = text.split('\n').filter((line) => line && !line.startsWith('#'));
  const rules = lines.map((line) => ({
    pattern: new RegExp(`^${line.replace(/^!/, '').replaceAll('.', '\\.').replaceAll('*', '[^/]*')}(/|$)`),
    isIgnored: !line.startsWith('!'),
  }));
  return (file) => rules.findLast(({ pattern }) => pattern.test(file))?.isIgnored ?? false;
}

/** What `COPY . .` copies: the files that Git knows, without those of .dockerignore. */
function listContext() {
  const isIgnored = readIgnoreFile(readFileSync('.dockerignore', 'utf8'));
  return listFiles().filter((file) => !isIgnored(file));
}

/**
 * Builds a stage, and those that it needs, once each.
 * @param {Map<string, Stage>} stages @param {string} name
 * @param {Environment} args the values of ARG
 * @param {Map<string, Image>} [built] what is built already
 * @returns {Image}
 */
export function buildStage(stages, name, args, built = new Map()) {
  const known = built.get(name);
  if (known) return known;
  const stage = stages.get(name);
  if (!stage) throw new Error(`There is no stage ${name}.`);
  const base = stages.has(stage.base) ? buildStage(stages, stage.base, args, built) : undefined;
  const directory = mkdtempSync(path.join(tmpdir(), `image-${name}-`));
  /** @type {Image} */
  const image = { directory, env: { ...base?.env }, user: 'root', command: [], health: [] };
  built.set(name, image); // before it is built, so that the caller can delete it however that ends
  chmodSync(directory, 0o755); // the server runs as another user
  // Hard links: quick, and without another gigabyte. npm replaces files and does not write into them.
  if (base) execFileSync('cp', ['-RPl', `${base.directory}/.`, directory]);
  for (const instruction of stage.instructions) apply(instruction, image);
  return image;

  /** @param {Instruction} instruction @param {Image} image */
  function apply({ word, rest }, image) {
    const [first = '', second = ''] = rest.split('=');
    switch (word) {
      case 'WORKDIR':
      case 'EXPOSE':
        return;
      case 'ARG':
        image.env[first] = args[first] ?? second;
        return;
      case 'ENV':
        image.env[first] = second;
        return;
      case 'USER':
        image.user = rest;
        return;
      case 'CMD':
        image.command = JSON.parse(rest);
        return;
      case 'HEALTHCHECK':
        image.health = JSON.parse(rest.slice(rest.indexOf('CMD ') + 4));
        return;
      case 'COPY':
        copy(rest.split(/\s+/), image.directory);
        return;
      case 'RUN':
        run(rest, image);
        return;
      default:
        throw new Error(`${word} is not an instruction that this script supports.`);
    }
  }

  /** @param {string[]} words @param {string} directory */
  function copy(words, directory) {
    const from = words[0]?.startsWith('--from=') ? words.shift()?.slice('--from='.length) : undefined;
    const target = path.join(directory, words.pop() ?? '');
    for (const source of words) {
      if (from) {
        const place = path.join(buildStage(stages, from, args, built).directory, path.relative('/app', source));
        cpSync(place, target, { recursive: true, verbatimSymlinks: true });
      } else if (source === '.') {
        for (const file of listContext()) copyFile(file, path.join(target, file));
      } else {
        const isFolder = words.length > 1 || (existsSync(target) && statSync(target).isDirectory());
        copyFile(source, isFolder ? path.join(target, source) : target);
      }
    }
  }
}

/** @param {string} source @param {string} target */
function copyFile(source, target) {
  mkdirSync(path.dirname(target), { recursive: true });
  cpSync(source, target);
}

/** @param {string} command @param {Image} image */
function run(command, { directory, env }) {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
    cwd: directory,
    encoding: 'utf8',
    env: environmentOf(env),
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) throw new Error(`RUN ${command} ended with ${status}\n${stdout}\n${stderr}`);
}

/**
 * A container has only what its image sets; here also what programs need to be found and to install.
 * @param {Environment} env @returns {NodeJS.ProcessEnv}
 */
export function environmentOf(env) {
  const { PATH, HOME } = process.env;
  const npm = Object.entries(process.env).filter(([name]) => /^npm_config_/i.test(name));
  const environment = { PATH, HOME, ...Object.fromEntries(npm), ...env };
  return /** @type {NodeJS.ProcessEnv} */ (/** @type {unknown} */ (environment));
}
