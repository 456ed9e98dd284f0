// What this machine can do: a container may lack rights, and a slim image programs.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'vitest';

const succeeds = (command: string, ...args: string[]) => spawnSync(command, args).status === 0;

/** Skipped without Git, which someone who downloaded an archive may not have. */
export const testGit = test.skipIf(!succeeds('git', '--version'));

/** Whether a disk that is small enough to fill can be mounted. Root can, except in a container without CAP_SYS_ADMIN. */
export function canMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  const disk = mkdtempSync(path.join(tmpdir(), 'mount-'));
  try {
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk]).status !== 0) return false;
    execFileSync('umount', [disk]);
    return true;
  } finally {
    rmdirSync(disk);
  }
}

/** How a message names this process as the holder of a port, with the programs that are installed: a regular expression. */
export function describeThisProcess(): string {
  const pid = String(process.pid);
  if (!succeeds('lsof', '-v') && !succeeds('ss', '-V')) return 'another process';
  return succeeds('ps', '-o', 'args=', '-p', pid) ? `process ${pid} \\(.*\\)` : `process ${pid}`;
}
