import 'server-only';
import { database } from '@/prisma/client';
import { flushEvents } from './emit-event';
import { type RequestInfo, Store } from './store';

/** One unit of work on the account: everything in it happens, events and their deliveries included, or nothing. */
export async function changeAccount<Result>(
  work: (store: Store) => Promise<Result>,
  request?: RequestInfo,
): Promise<Result> {
  return database().$transaction(async (tx) => {
    const store = await Store.open(tx, request);
    const result = await work(store);
    await flushEvents(store);
    return result;
  });
}

/** Reads only. */
export async function readAccount<Result>(work: (store: Store) => Promise<Result>): Promise<Result> {
  return work(await Store.open(database()));
}
