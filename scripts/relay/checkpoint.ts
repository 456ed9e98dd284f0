// How far the relay has come. The file lets a restart continue where the last run ended, without posting everything again.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Times are Unix milliseconds. */
export type Checkpoint = {
  /** Everything before it is done, but for what a provider lists late. */
  since: number;
  /** What is done of the time since then: the times of messages, by `doneKey`. */
  done: Record<string, number>;
};

/** Polls overlap, since a provider's clock may differ from ours, and its list may lag behind. */
export const OVERLAP_MS = 5 * 60_000;

export const newCheckpoint = (now: number): Checkpoint => ({ since: now, done: {} });

/** From when on the provider is asked: a whole second, since Stripe counts in seconds. */
export const windowStart = (since: number): number => Math.floor((since - OVERLAP_MS) / 1000) * 1000;

/** A message at an endpoint: each endpoint has what is done of its own. */
export const doneKey = (endpoint: string, messageId: string): string => `${endpoint} ${messageId}`;

/**
 * The checkpoint after a poll. It stays before the oldest message that is still to be delivered, and forgets what no later poll
 * can list again. The poll's own time counts and not the newest message's: a test clock's events are in the future.
 */
export function advance({ done }: Checkpoint, polledAt: number, pending: number[]): Checkpoint {
  const since = Math.min(polledAt, ...pending);
  const kept = Object.entries(done).filter(([, occurredAt]) => occurredAt >= windowStart(since));
  return { since, done: Object.fromEntries(kept) };
}

/** The checkpoints of a file, by source; none if the file is missing or unreadable. */
export function readCheckpoints(file: string): Record<string, Checkpoint> {
  if (!existsSync(file)) return {};
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, Checkpoint>;
  } catch {
    return {};
  }
}

export function writeCheckpoints(file: string, checkpoints: Record<string, Checkpoint>): void {
  mkdirSync(path.dirname(file), { recursive: true });
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, JSON.stringify(checkpoints), { mode: 0o600 });
  renameSync(temporary, file);
}
