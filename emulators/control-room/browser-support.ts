// What the browser scripts share, apart from the page itself.

/**
 * Keeps a connection open while the page is visible. A browser opens six connections to an origin, for all its tabs
 * together: tabs in the background would leave none for the others.
 * @param onReturn called when the page is visible again, to read what it has missed
 */
export function whileVisible(
  page: Pick<Document, 'hidden' | 'addEventListener'>,
  open: () => { close: () => void },
  onReturn: () => void,
): void {
  let connection = page.hidden ? null : open();
  page.addEventListener('visibilitychange', () => {
    if (page.hidden) {
      connection?.close();
      connection = null;
    } else if (!connection) {
      connection = open();
      onReturn();
    }
  });
}

/**
 * For results that a later request replaces.
 * @returns runs `load`; the result is undefined if it was called again before `load` finished
 */
export function latestOf<Input, Result>(load: (input: Input) => Promise<Result>) {
  let newest = 0;
  return async (input: Input): Promise<Result | undefined> => {
    newest += 1;
    const own = newest;
    const result = await load(input);
    return own === newest ? result : undefined;
  };
}

/**
 * Adds up counts and reports them at most once per `everyMs`, the first one at once.
 * @param tell called with the counts since it was last called
 * @returns adds counts
 */
export function countUp<Key>(everyMs: number, tell: (counts: ReadonlyMap<Key, number>) => void) {
  const counts = new Map<Key, number>();
  let isWaiting = false;
  const tellNow = () => {
    isWaiting = counts.size > 0;
    if (!isWaiting) return;
    tell(counts);
    counts.clear();
    setTimeout(tellNow, everyMs);
  };
  return (added: ReadonlyMap<Key, number>): void => {
    for (const [key, count] of added) if (count > 0) counts.set(key, (counts.get(key) ?? 0) + count);
    if (!isWaiting) tellNow();
  };
}
