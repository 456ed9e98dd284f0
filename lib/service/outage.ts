// An outage on request, for the local demo and the walks: docs/decisions/0085.
// A state of this process and of nothing else, as an outage is: it costs a request nothing, and a restart ends it.
const holder = globalThis as typeof globalThis & { serviceOutages?: Set<string> };

const outages = (): Set<string> => (holder.serviceOutages ??= new Set());

/**
 * Takes the service down, or brings it back.
 * @param about only for requests whose body has this text in it, for instance an e-mail address; empty for everyone's
 */
export function setOutage(about: string, isOut: boolean): void {
  if (isOut) outages().add(about);
  else outages().delete(about);
}

/** For whom the service is down. */
export const listOutages = (): string[] => [...outages()];

/** Whether the service is down for a request with this body. */
export function isOutFor(body: string): boolean {
  for (const about of outages()) if (body.includes(about)) return true;
  return false;
}
