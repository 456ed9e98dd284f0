/** Counts what happens of one kind, and tells those who watch. */
export class Changes<T = void> {
  private readonly watchers = new Set<(change: T) => void>();
  /** How many there were since the start. */
  count = 0;

  /** Calls `watcher` at each change. @returns ends the watching */
  watch(watcher: (change: T) => void): () => void {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  }

  announce(change: T): void {
    this.count += 1;
    for (const watcher of this.watchers) watcher(change);
  }
}
