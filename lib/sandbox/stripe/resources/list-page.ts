import type { ListQuery, Store } from '../store';
import type { ObjectType } from '../wire';

/** A page of objects in the API's list form. */
export async function listPage(store: Store, type: ObjectType, url: string, query: ListQuery) {
  const { data, has_more } = await store.page(type, query);
  return { object: 'list', url, has_more, data };
}
