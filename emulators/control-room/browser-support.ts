// What the browser scripts share, apart from the page itself.

/**
 * Keeps a connection open while the page is visible. A browser opens six connections to an origin, for all of its tabs
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
