// A state of a page, as the gallery shows it.
import type { ReactNode } from 'react';

/** What the real page would be asked for, its frame included. */
export type AppState = {
  /** "dashboard/events/empty": room, page and state; the address in the gallery. */
  name: string;
  /** The path of the real page, which decides what the navigation marks. */
  path: string;
  page: ReactNode;
};

/** The moment at which every state is shown. */
export const NOW = new Date('2026-11-21T12:00:00Z');

const DAY_MS = 86_400_000;
export const daysFromNow = (days: number): Date => new Date(NOW.getTime() + days * DAY_MS);
