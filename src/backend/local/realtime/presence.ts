import { randomUUID } from 'node:crypto';

/** What a client says about itself in a channel, as `track` was given it. */
type Meta = Record<string, unknown> & { phx_ref: string };
type PresenceState = Record<string, { metas: Meta[] }>;

/** One tracked client. A key may be tracked several times: one person, several tabs. */
export interface Tracked {
  key: string;
  meta: Meta;
}

/** Everyone who is tracked, by key; built from entries, so `__proto__` is a key like any other. */
export function stateOf(all: Iterable<Tracked>): PresenceState {
  const byKey = new Map<string, Meta[]>();
  for (const { key, meta } of all) byKey.set(key, [...(byKey.get(key) ?? []), meta]);
  return Object.fromEntries([...byKey].map(([key, metas]) => [key, { metas }]));
}

/** What changed, as realtime-js applies it. */
export function diffOf(joined: Tracked[], left: Tracked[]) {
  return { joins: stateOf(joined), leaves: stateOf(left) };
}

/**
 * A client's payload, with the `person_id` that the server knows instead of the one the client wrote:
 * nobody types or is present in somebody else's name.
 */
export function withOwnPersonId<Payload>(payload: Payload, sub: string | undefined): Payload {
  const hasId = typeof payload === 'object' && payload !== null && 'person_id' in payload;
  return hasId ? { ...payload, person_id: sub ?? null } : payload;
}

/** A client's payload with a reference of its own and that of the entry it replaces. */
export function metaOf(payload: Record<string, unknown>, before: Tracked | undefined): Meta {
  const { phx_ref: _ref, phx_ref_prev: _previous, ...said } = payload;
  const previous = before ? { phx_ref_prev: before.meta.phx_ref } : {};
  return { ...said, phx_ref: randomUUID(), ...previous };
}
