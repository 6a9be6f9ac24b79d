import { atom } from 'nanostores';
import type { Channel, Live } from './live.ts';

const MOST_WATCHED = 20;

/** Watches which people are online, over one channel per person. It never watches `me`. */
export function createPresenceWatch(
  me: string,
  join: Live['join'],
): Pick<Live, '$present' | 'watch'> {
  const $present = atom<ReadonlySet<string>>(new Set());
  const watched = new Map<string, { watchers: number; channel: Channel }>();

  function setPresent(id: string, isPresent: boolean): void {
    if ($present.get().has(id) === isPresent) return;
    const present = new Set($present.get());
    if (isPresent) present.add(id);
    else present.delete(id);
    $present.set(present);
  }

  function joinPresence(id: string): Channel {
    const channel = join(`presence:${id}`, {
      onPresence: (keys) => setPresent(id, keys.has(id)),
      // They no longer work together, so there's nothing to retry.
      onEnd: () => channel.leave(),
    });
    return channel;
  }

  function add(id: string): boolean {
    const before = watched.get(id);
    if (before) before.watchers += 1;
    else if (watched.size >= MOST_WATCHED || id === me) return false;
    else watched.set(id, { watchers: 1, channel: joinPresence(id) });
    return true;
  }

  function remove(id: string): void {
    const before = watched.get(id);
    if (!before) return;
    before.watchers -= 1;
    if (before.watchers > 0) return;
    watched.delete(id);
    before.channel.leave();
    setPresent(id, false);
  }

  return {
    $present,
    watch(people) {
      const added = [...new Set(people)].filter(add);
      return () => {
        for (const id of added.splice(0)) remove(id);
      };
    },
  };
}
