// A production build of the project with one route more, in a folder of its own: the route never ships.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { withoutRepository } from '../git-files.mjs';
import { copyProject } from '../link-packages.mjs';
import { bareEnvironment } from '../local-env.mjs';

const SCRATCH = path.join(tmpdir(), 'attribution-bench');
/** What an install makes. */
const MADE = ['prisma/generated', 'emulators/vendor'];

/** The least that answers JSON with JSON. */
const BARE_ROUTE = `export async function POST(request: Request): Promise<Response> {
  const body = await request.json();
  return Response.json({ success: true, id: body.customer_key ?? null });
}
`;

/**
 * Builds the project with `POST /bench-bare`, and makes the copy the current directory.
 * @param {{ isKept: boolean }} options whether a build that is there is used again
 */
export function enterBenchBuild({ isKept }) {
  if (!isKept) {
    rmSync(SCRATCH, { recursive: true, force: true });
    mkdirSync(SCRATCH, { recursive: true });
    copyProject(SCRATCH, MADE);
    // Tailwind leaves out what .gitignore names, in a repository only.
    spawnSync('git', ['init', '--quiet'], { cwd: SCRATCH, env: withoutRepository() });
    mkdirSync(path.join(SCRATCH, 'app/bench-bare'));
    writeFileSync(path.join(SCRATCH, 'app/bench-bare/route.ts'), BARE_ROUTE);
    /** @type {import('../local-env.mjs').Environment} */
    const env = { ...bareEnvironment(), NEXT_TELEMETRY_DISABLED: '1', NEXT_PUBLIC_SVC_PROGRAM_ID: 'prg_demo' };
    const build = spawnSync(process.execPath, ['node_modules/next/dist/bin/next', 'build'], {
      cwd: SCRATCH,
      env: /** @type {NodeJS.ProcessEnv} */ (env),
      encoding: 'utf8',
    });
    if (build.status !== 0)
      throw new Error(`next build ended with code ${build.status}\n${build.stdout}${build.stderr}`);
  }
  process.chdir(SCRATCH);
}
