/** Counts changes of one kind and notifies the watchers. */
export class Changes<T = void> {
  private readonly watchers = new Set<(change: T) => void>();
  /** The number of changes since the start. */
  count = 0;

  /** Calls `watcher` at each change. @returns a function that stops watching */
  watch(watcher: (change: T) => void): () => void {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  }

  announce(change: T): void {
    this.count += 1;
    for (const watcher of this.watchers) watcher(change);
  }
}
