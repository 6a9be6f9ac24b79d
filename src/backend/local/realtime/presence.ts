import { randomUUID } from 'node:crypto';

/** What someone says of themselves in a channel, as `track` was given it. */
export type Meta = Record<string, unknown> & { phx_ref: string };
export type PresenceState = Record<string, { metas: Meta[] }>;
/** What changed, as realtime-js applies it. */
export type PresenceDiff = { joins: PresenceState; leaves: PresenceState };

/** Someone who is there. */
export interface Tracked {
  key: string;
  meta: Meta;
}

/**
 * Who is there in one channel. A key may be there several times: one person, several tabs. An entry
 * belongs to whoever tracked it: a socket here, or a mark for one of another process.
 */
export interface Presence<Owner> {
  readonly size: number;
  state(): PresenceState;
  entries(): IterableIterator<[Owner, Tracked]>;
  get(owner: Owner): Tracked | undefined;
  put(owner: Owner, tracked: Tracked): PresenceDiff;
  /** Null when they were not there. */
  remove(owner: Owner): PresenceDiff | null;
}

export function createPresence<Owner>(): Presence<Owner> {
  const tracked = new Map<Owner, Tracked>();

  return {
    get size() {
      return tracked.size;
    },
    state: () => stateOf(tracked.values()),
    entries: () => tracked.entries(),
    get: (owner) => tracked.get(owner),
    put(owner, next) {
      const before = tracked.get(owner);
      tracked.set(owner, next);
      return { joins: stateOf([next]), leaves: before ? stateOf([before]) : {} };
    },
    remove(owner) {
      const before = tracked.get(owner);
      if (!before) return null;
      tracked.delete(owner);
      return { joins: {}, leaves: stateOf([before]) };
    },
  };
}

/**
 * What a client said, with the `person_id` that the server knows instead of the one that they wrote:
 * nobody types or is there in the name of somebody else.
 */
export function inOwnName<Payload>(payload: Payload, sub: string | undefined): Payload {
  const names = typeof payload === 'object' && payload !== null && 'person_id' in payload;
  return names ? { ...payload, person_id: sub ?? null } : payload;
}

/** What a client said, with the mark by which this saying is known, and that of the one before. */
export function metaOf(payload: Record<string, unknown>, before: Tracked | undefined): Meta {
  const { phx_ref: _ref, phx_ref_prev: _previous, ...said } = payload;
  const previous = before ? { phx_ref_prev: before.meta.phx_ref } : {};
  return { ...said, phx_ref: randomUUID(), ...previous };
}

/** By way of entries: a key such as `__proto__` is a key like any other. */
function stateOf(all: Iterable<Tracked>): PresenceState {
  const byKey = new Map<string, Meta[]>();
  for (const { key, meta } of all) byKey.set(key, [...(byKey.get(key) ?? []), meta]);
  return Object.fromEntries([...byKey].map(([key, metas]) => [key, { metas }]));
}
