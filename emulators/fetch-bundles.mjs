// Clerk's browser code, unmodified: the script and its components, from the packages that Clerk publishes. As npm
// dependencies, they would add over a thousand packages that the finished bundles do not need. So their archives are
// downloaded through npm, checked against the hashes below, and only the bundles and the licenses are kept.
//   node emulators/fetch-bundles.mjs     does nothing if they are already there
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const VENDOR = path.join(import.meta.dirname, 'vendor');

const PACKAGES = [
  {
    name: '@clerk/clerk-js',
    version: '6.34.1',
    sha512: 'PcM/x9lzmDU5bQ8jaJjkWYncJbAYL5hlxHG3jkO4SLG39apLqfBuFCaRw27ptIkwRCTJnY+a6Nvml3gk8G1CZA==',
    bundles: /^(clerk\.browser|.*_clerk\.browser_.*)\.js$/,
  },
  {
    name: '@clerk/ui',
    version: '1.34.0',
    sha512: 'EP6Wcf+iqV5hJRMjfmVSOb7wWEgt2DuUOnR3Yv/ULPdmGgGWa64oc4tB4VfD66z8nXgtXqHEXNNnGURAOfQ7vQ==',
    // Only the chunks that ui.browser.js loads: those with the start of the hash that it names.
    bundles: /^(ui\.browser|.*_ui_de828c_.*)\.js$/,
  },
];

/** npm, without a shell: the one that runs this script, else the one beside Node. @param {string[]} args */
function npm(args) {
  const cli = process.env.npm_execpath;
  const [command, prefix] = cli?.endsWith('.js') ? [process.execPath, [cli]] : ['npm', []];
  execFileSync(command, [...prefix, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
}

for (const { name, version, sha512, bundles } of PACKAGES) {
  const target = path.join(VENDOR, name);
  const stamp = path.join(target, 'version');
  const wanted = `${version} ${bundles.source}`;
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) continue;
  const scratch = mkdtempSync(path.join(tmpdir(), 'bundles-'));
  try {
    npm(['pack', '--silent', '--pack-destination', scratch, `${name}@${version}`]);
    const archive = path.join(scratch, ...readdirSync(scratch)); // its name is not read from npm, whose output changes
    const hash = createHash('sha512').update(readFileSync(archive)).digest('base64');
    if (hash !== sha512) throw new Error(`${name}@${version} does not have the expected hash. Nothing was installed.`);
    execFileSync('tar', ['-xzf', archive, '-C', scratch]);
    rmSync(target, { recursive: true, force: true });
    mkdirSync(path.join(target, 'dist'), { recursive: true });
    const from = path.join(scratch, 'package');
    for (const file of readdirSync(path.join(from, 'dist')).filter((file) => bundles.test(file))) {
      cpSync(path.join(from, 'dist', file), path.join(target, 'dist', file));
    }
    cpSync(path.join(from, 'LICENSE'), path.join(target, 'LICENSE'));
    writeFileSync(stamp, wanted);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
