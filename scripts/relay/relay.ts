// The relay: asks a provider for what has happened, and posts it to the app's webhooks, at least once. Order is best effort:
// oldest first, but a message that has to be tried again holds up none of the others.
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { advance, type Checkpoint, doneKey, newCheckpoint, windowStart } from './checkpoint';
import { decidePause, decideWait, describeError, type Endpoint, type Message, post } from './endpoints';
import { RateLimited } from './sources';

export type Source = {
  name: string;
  /** What has happened since, oldest first; at least that. @param since Unix milliseconds */
  list: (since: number) => Promise<Message[]>;
  /** Whether a message is this app's: others may use the same account. */
  isOwn: (message: Message) => Promise<boolean>;
  endpoints: Endpoint[];
};

type RelayOptions = {
  checkpoint: Checkpoint | undefined;
  /** Called after each round that has changed something. */
  keep: (checkpoint: Checkpoint) => void;
  log: (line: string) => void;
  pollMs: number;
  /** The first wait after a failure; each further one is twice as long. */
  firstWaitMs: number;
};

type Pending = { message: Message; endpoint: Endpoint; failures: number; dueAt: number };

/** How long a stop waits for what is being posted; what is cut off is posted again by the next run. */
const STOP_LIMIT_MS = 2_000;

/** Relays one provider's events until it is stopped. */
export class Relay {
  private readonly stopping = new AbortController();
  private readonly cutting = new AbortController();
  private readonly pending = new Map<string, Pending>();
  private checkpoint: Checkpoint;
  /** Where this run's last poll was: what is pending need not be listed again. */
  private polledAt: number;
  private pollFailures = 0;
  private isKept = true;
  private running: Promise<void> | undefined;
  private delivering: Promise<void> | undefined;

  constructor(
    private readonly source: Source,
    private readonly options: RelayOptions,
  ) {
    this.checkpoint = options.checkpoint ?? newCheckpoint(Date.now());
    this.polledAt = this.checkpoint.since;
  }

  start(): void {
    this.running ??= this.run();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    const timer = setTimeout(() => this.cutting.abort(), STOP_LIMIT_MS);
    // What is being posted ends once it is cut off. A poll may wait for a provider that hangs.
    await Promise.race([this.running, once(this.cutting.signal, 'abort').then(() => this.delivering)]);
    clearTimeout(timer);
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      const wait = await this.poll();
      const until = Date.now() + wait;
      do {
        await (this.delivering = this.deliverDue());
        const next = Math.min(until, ...[...this.pending.values()].map(({ dueAt }) => dueAt));
        await delay(Math.max(next - Date.now(), 10), undefined, { signal }).catch(() => {});
      } while (Date.now() < until && !signal.aborted);
    }
  }

  /** @returns how long to wait before the next poll */
  private async poll(): Promise<number> {
    const startedAt = Date.now();
    try {
      for (const message of await this.source.list(windowStart(this.polledAt))) await this.take(message);
      if (this.pollFailures > 0) this.options.log(`${this.source.name}: polling works again.`);
      this.pollFailures = 0;
      this.polledAt = startedAt;
      this.advanceCheckpoint();
      return this.options.pollMs;
    } catch (error) {
      this.pollFailures += 1;
      const backOff = decideWait(this.pollFailures, Math.max(this.options.firstWaitMs, this.options.pollMs));
      const pause = decidePause(backOff, error instanceof RateLimited ? error.waitMs : null);
      if (this.pollFailures === 1 || pause > backOff) {
        this.options.log(`${this.source.name}: ${asSentence(error)} Polling again in ${Math.ceil(pause / 1000)} s.`);
      }
      return pause;
    }
  }

  private async take(message: Message): Promise<void> {
    const isNew = ({ url }: Endpoint) =>
      !(doneKey(url, message.id) in this.checkpoint.done) && !this.pending.has(doneKey(url, message.id));
    const endpoints = this.source.endpoints.filter((endpoint) => endpoint.accepts(message.type) && isNew(endpoint));
    if (endpoints.length === 0) return;
    const isOwn = await this.source.isOwn(message);
    for (const endpoint of endpoints) {
      const key = doneKey(endpoint.url, message.id);
      if (isOwn) this.pending.set(key, { message, endpoint, failures: 0, dueAt: 0 });
      else this.checkpoint.done[key] = message.occurredAt;
    }
  }

  /** Posts what is due, each endpoint on its own: one that is down holds up no other. */
  private async deliverDue(): Promise<void> {
    const due = [...this.pending].filter(([, { dueAt }]) => dueAt <= Date.now());
    if (due.length === 0) return;
    const attempts = this.source.endpoints.map(async ({ url }) => {
      for (const [key, entry] of due) {
        if (entry.endpoint.url !== url || this.stopping.signal.aborted) continue;
        if (!(await this.attempt(key, entry))) return; // nothing listens there: the next one would fail as well
      }
    });
    await Promise.all(attempts);
    this.advanceCheckpoint();
  }

  /** @returns whether the endpoint could be reached */
  private async attempt(key: string, entry: Pending): Promise<boolean> {
    const { message, endpoint } = entry;
    const { isDelivered, isReached, detail } = await post(endpoint, message, this.cutting.signal);
    const what = `${message.type} (${message.id}) to ${new URL(endpoint.url).pathname}`;
    if (isDelivered) {
      this.pending.delete(key);
      this.checkpoint.done[key] = message.occurredAt;
      this.options.log(`${what}: ${detail.slice(0, 3)}`);
    } else {
      entry.failures += 1;
      entry.dueAt = Date.now() + decideWait(entry.failures, this.options.firstWaitMs);
      if (entry.failures === 1) this.options.log(`${what}: ${detail}. Retrying with back-off.`);
    }
    return isReached;
  }

  private advanceCheckpoint(): void {
    const pending = [...this.pending.values()].map(({ message }) => message.occurredAt);
    this.checkpoint = advance(this.checkpoint, this.polledAt, pending);
    try {
      this.options.keep(this.checkpoint);
      this.isKept = true;
    } catch (error) {
      const what = `${this.source.name}: the checkpoint cannot be kept: ${asSentence(error)}`;
      if (this.isKept) this.options.log(`${what} A restart repeats the posts from now on.`);
      this.isKept = false;
    }
  }
}

const asSentence = (error: unknown): string => describeError(error).replace(/\.?$/, '.');
