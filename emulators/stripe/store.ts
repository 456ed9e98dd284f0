// The account's objects within one unit of work, with its time and the events it emits.
import Stripe from 'stripe';
import { readClock } from '../core/clock';
import type { Config } from '../core/config';
import type { Sql } from '../core/database';
import { createId } from '../core/ids';
import { type Extra, type Filter, Objects, type PageQuery } from '../core/objects';
import { type ApiError, resourceMissing } from './errors';
import type { EventType } from './event-types';
import { changedFields } from './previous-attributes';
import type { AnyStripeObject, ApiObject, ObjectType, StripeObjects, WireEvent } from './wire';

export type RequestInfo = { id: string | null; idempotency_key: string | null };

type ListQuery = Omit<PageQuery, 'before' | 'after' | 'created'> & {
  created?: PageQuery['created'] | undefined;
  starting_after?: string | undefined;
  ending_before?: string | undefined;
};

export class Store {
  /** Unix seconds on the clock of the customer that was entered, else on everyone's. */
  now = 0;
  /** The API version that the request asks for. */
  apiVersion: string = Stripe.API_VERSION;
  /** Who these events are about: an email address if there is one. Deliveries are grouped by it. */
  subject = '';
  /** The events of this unit of work. They are written when it ends. */
  readonly emitted: { event: WireEvent; subject: string }[] = [];
  /** A refusal with effects: a declined card gets a 402 response, and the failed charge is kept. */
  failure: ApiError | null = null;
  private readonly objects: Objects<StripeObjects>;

  private constructor(
    readonly sql: Sql,
    readonly config: Config,
    private readonly request: RequestInfo,
  ) {
    this.objects = new Objects<StripeObjects>(sql, 'stripe');
  }

  static async open(
    sql: Sql,
    config: Config,
    request: RequestInfo = { id: null, idempotency_key: null },
  ): Promise<Store> {
    const store = new Store(sql, config, request);
    store.now = await readClock(sql);
    return store;
  }

  /** Switches to a customer's time and subject. `at` is for what was due at that moment. */
  async enter(customer: string, { param, at }: { param?: string; at?: number } = {}): Promise<ApiObject<'customer'>> {
    const object = await this.get('customer', customer, param);
    this.now = at ?? (await this.timeOf(object));
    this.subject = object.email?.toLowerCase() ?? customer;
    return object;
  }

  /** The same for an object's customer: null if it has none. The customer may have been deleted since. */
  async enterOwner(customer: string | null, at?: number): Promise<void> {
    if (customer && (await this.find('customer', customer))) await this.enter(customer, at === undefined ? {} : { at });
    else this.now = at ?? this.now;
  }

  /** An object, in the time of its customer. Otherwise as `get`. */
  async getEntered<Type extends 'credit_note' | 'invoice' | 'payment_intent' | 'subscription'>(
    type: Type,
    id: string,
    param?: string,
  ): Promise<ApiObject<Type>> {
    const object = await this.get(type, id, param);
    await this.enterOwner(object.customer);
    return object;
  }

  /** The events are about the email address that a charge was paid with, unless a customer was entered. */
  enterPayer({ billing_details: { email } }: ApiObject<'charge'>): void {
    this.subject ||= email?.toLowerCase() ?? '';
  }

  /** The time of a customer: of their test clock, which stands still between advances, else of the emulators' clock. */
  async timeOf({ id, test_clock: testClock }: ApiObject<'customer'>): Promise<number> {
    if (testClock) return (await this.get('test_helpers.test_clock', testClock)).frozen_time;
    return readClock(this.sql, id);
  }

  find<Type extends ObjectType>(type: Type, id: string): Promise<ApiObject<Type> | null> {
    return this.objects.find(type, id);
  }

  /** @throws ApiError if there is no such object; `param` names the parameter that asked for it */
  async get<Type extends ObjectType>(type: Type, id: string, param?: string): Promise<ApiObject<Type>> {
    const object = await this.objects.find(type, id);
    if (!object) throw resourceMissing(type, id, param);
    return object;
  }

  /** What the API does not show of an object. */
  internal<Internal extends Record<string, unknown>>(id: string): Promise<Internal> {
    return this.objects.internal<Internal>(id);
  }

  async insert<T extends AnyStripeObject>(object: T, extra: Extra = {}): Promise<T> {
    await this.objects.insert(object.object, object, extra);
    return object;
  }

  /** Writes an object back. What `extra` leaves out is unchanged. */
  async save<T extends AnyStripeObject>(object: T, extra: Extra = {}): Promise<T> {
    await this.objects.save(object.object, object, extra);
    return object;
  }

  /** Changes an object, writes it back, and emits the event if something has changed. `change` gets a copy of the object as it was. */
  async update<T extends AnyStripeObject>(
    type: EventType,
    object: T,
    change: (before: T) => unknown,
    extra: Extra = {},
  ): Promise<T> {
    const before = structuredClone(object);
    await change(before);
    await this.save(object, extra);
    this.emitUpdate(type, before, object);
    return object;
  }

  async remove(type: ObjectType, id: string): Promise<void> {
    await this.objects.remove(type, id);
  }

  /** Replaces a customer with a marker that it was deleted. Its invoices, charges and subscriptions stay. */
  async deleteCustomer(id: string): Promise<ApiObject<'deleted_customer'>> {
    const deleted = { id, object: 'customer', deleted: true } as const;
    await this.sql(
      `UPDATE object SET type = 'stripe.deleted_customer', data = $2::jsonb WHERE id = $1 AND type = 'stripe.customer'`,
      [id, JSON.stringify(deleted)],
    );
    return deleted;
  }

  /** Deletes a coupon. The discounts that it gave keep their terms. */
  async deleteCoupon(id: string): Promise<void> {
    await this.sql("DELETE FROM object WHERE id = $1 AND type = 'stripe.deleted_coupon'", [id]);
    await this.sql(
      "UPDATE object SET type = 'stripe.deleted_coupon', due_at = NULL WHERE id = $1 AND type = 'stripe.coupon'",
      [id],
    );
  }

  /** Removes every trace of a customer, and what belongs to its invoices and charges. */
  async removeCustomer(id: string): Promise<void> {
    await this.sql(
      `DELETE FROM object WHERE customer = $1 OR (type LIKE 'stripe.%'
         AND coalesce(data->>'invoice', data->>'charge') IN (SELECT id FROM object WHERE customer = $1))`,
      [id],
    );
  }

  /** All objects of a type that match, oldest first. */
  all<Type extends ObjectType>(type: Type, where: Filter = {}): Promise<ApiObject<Type>[]> {
    return this.objects.all(type, where);
  }

  /** One page, newest first, by Stripe's cursors. */
  async page<Type extends ObjectType>(
    type: Type,
    { starting_after, ending_before, created = {}, ...query }: ListQuery,
  ): Promise<{ data: ApiObject<Type>[]; has_more: boolean }> {
    const before = starting_after && (await this.sequenceOf(type, starting_after, 'starting_after'));
    const after = ending_before && !before && (await this.sequenceOf(type, ending_before, 'ending_before'));
    return this.objects.page(type, { ...query, created, before: before || undefined, after: after || undefined });
  }

  /**
   * Notes that something happened to the object as it is now. The event is written, and enqueued for the endpoints, when
   * the unit of work ends. `previous` has the changed fields with their old values.
   */
  emit(type: EventType, object: AnyStripeObject, previous?: Record<string, unknown>): void {
    const event: WireEvent = {
      id: createId('evt', 24),
      object: 'event',
      api_version: Stripe.API_VERSION,
      created: this.now,
      data: { object: structuredClone(object), ...(previous && { previous_attributes: structuredClone(previous) }) },
      livemode: false,
      pending_webhooks: 0,
      request: this.request,
      type,
    };
    this.emitted.push({ event, subject: this.subject });
  }

  /** Notes that an update changed the object; does nothing if it did not. */
  emitUpdate<T extends AnyStripeObject>(type: EventType, before: T, object: T): void {
    const previous = changedFields({ ...before }, { ...object });
    if (Object.keys(previous).length > 0) this.emit(type, object, previous);
  }

  private async sequenceOf(type: ObjectType, id: string, param: string): Promise<number> {
    const sequence = await this.objects.sequenceOf(type, id);
    if (sequence === null) throw resourceMissing(type, id, param);
    return sequence;
  }
}
