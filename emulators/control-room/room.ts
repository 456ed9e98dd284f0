// What every page of the control room knows about the request.
import type { Context } from 'hono';
import type { Emulator } from '../core/emulator';
import type { Surroundings } from './read';

export type Room = Surroundings & {
  emulator: Emulator;
  path: string;
  /** An email address; empty for all customers. */
  customer: string;
  /** Whether the tracker is blocked in this browser. */
  isTrackerBlocked: boolean;
  /** The change counts from before the page was read, for its stream. */
  version: string;
  /** The result of the last action. */
  notice: Notice | null;
};

/** What the routes of pages share. */
export type Frame = { roomOf: (c: Context) => Promise<Room>; missing: (c: Context) => Response | Promise<Response> };

export type Notice = { text: string; items?: readonly { label: string; href?: string }[]; isProblem?: boolean };

/** A path of the control room that keeps the customer. */
export function linkTo(path: string, customer: string, query: Record<string, string> = {}): string {
  const search = new URLSearchParams({ ...(customer && { customer }), ...query }).toString();
  return search ? `${path}?${search}` : path;
}
