// Where an ID is: in cookies, in the providers' objects and in what the app reports. Pure.
import { isMatch, type Profile } from '../core/profile';
import type { Message } from '../core/trace';
import { findPlaces, type IdPlace } from '../core/trace-ids';

export type FoundPlace = {
  /** "Cookie", "Subscription", "Sale" */
  label: string;
  /** The field that holds the ID. */
  field: string;
  /** The object that carries it. */
  id: string | null;
  /** The message that shows it. */
  message: number | null;
};

const sentence = (type: string): string => {
  const words = type.replaceAll(/[._]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** Events, lists and lines repeat what an object has, and an object's own `id` is not a reference. */
const isCarried = ({ object, id }: IdPlace, value: string): boolean =>
  !['event', 'line_item', 'sign_up_attempt'].includes(object ?? '') && id !== value;

/** @param objects of the providers, oldest first  @param messages oldest first */
export function listPlaces(
  value: string,
  { objects, messages, profile }: { objects: readonly string[]; messages: readonly Message[]; profile: Profile },
): FoundPlace[] {
  const found = new Map<string, FoundPlace>();
  const add = (place: FoundPlace) => {
    const key = `${place.label} ${place.id ?? ''}`;
    if (!found.has(key)) found.set(key, place);
  };
  const addAll = (text: string, message: number | null) => {
    for (const place of findPlaces(text, value)) {
      if (!place.object || !isCarried(place, value)) continue;
      add({ label: sentence(place.object), field: place.field, id: place.id, message });
    }
  };
  for (const message of messages) {
    for (const cookie of message.cookies ?? []) {
      if (cookie.value !== value) continue;
      add({ label: 'Cookie', field: cookie.field, id: null, message: message.id });
    }
    const subject = profile.subjects.find((pattern) => isMatch(message, pattern));
    const isOk = message.status !== null && message.status < 300;
    if (subject && isOk && message.subjects.includes(value)) {
      add({ label: subject.label, field: message.path.split('?')[0] ?? '', id: null, message: message.id });
    } else if (message.to !== 'service') {
      addAll(message.request.body, message.id);
      addAll(message.response.body, message.id);
    }
  }
  for (const object of objects) addAll(object, null);
  return [...found.values()];
}
