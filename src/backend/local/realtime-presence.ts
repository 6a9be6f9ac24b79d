import { randomUUID } from 'node:crypto';

/** What someone says of themselves in a channel, as `track` was given it. */
export type Meta = Record<string, unknown> & { phx_ref: string };
export type PresenceState = Record<string, { metas: Meta[] }>;
/** What changed, as realtime-js applies it. */
export type PresenceDiff = { joins: PresenceState; leaves: PresenceState };

/** Who is there in one channel. A key may be there several times: one person, several tabs. */
export interface Presence<Member> {
  state(): PresenceState;
  track(member: Member, key: string, payload: Record<string, unknown>): PresenceDiff;
  /** Null when they were not tracked. */
  untrack(member: Member): PresenceDiff | null;
}

export function createPresence<Member>(): Presence<Member> {
  const tracked = new Map<Member, { key: string; meta: Meta }>();
  const one = (key: string, meta: Meta): PresenceState => single(key, [meta]);

  return {
    state() {
      const byKey = new Map<string, Meta[]>();
      for (const { key, meta } of tracked.values()) {
        byKey.set(key, [...(byKey.get(key) ?? []), meta]);
      }
      return Object.fromEntries([...byKey].map(([key, metas]) => [key, { metas }]));
    },
    track(member, key, payload) {
      const before = tracked.get(member);
      const { phx_ref: _ref, phx_ref_prev: _previous, ...said } = payload;
      const meta: Meta = {
        ...said,
        phx_ref: randomUUID(),
        ...(before ? { phx_ref_prev: before.meta.phx_ref } : {}),
      };
      tracked.set(member, { key, meta });
      return { joins: one(key, meta), leaves: before ? one(before.key, before.meta) : {} };
    },
    untrack(member) {
      const before = tracked.get(member);
      if (!before) return null;
      tracked.delete(member);
      return { joins: {}, leaves: one(before.key, before.meta) };
    },
  };
}

/** By way of entries: a key such as `__proto__` is a key like any other. */
function single(key: string, metas: Meta[]): PresenceState {
  return Object.fromEntries([[key, { metas }]]);
}
