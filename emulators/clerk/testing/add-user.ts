import type { Emulator } from '../../core/emulator';
import { createUser } from '../objects/user';
import { newId, Store } from '../store';

/** A user without a password, as a sign-up leaves it. Returns its ID. */
export const addUser = (emulator: Emulator, address: string, metadata: Record<string, unknown> = {}): Promise<string> =>
  emulator.database.change(async (sql) => {
    const [id, emailId] = [newId('user'), newId('idn')];
    const user = createUser({ id, emailId, address, unsafe_metadata: metadata, hasPassword: false }, Date.now());
    const store = new Store(sql);
    await store.insert('user', user);
    await store.reserve('user', address.toLowerCase(), id);
    return id;
  });
