/** What one client may take; Supabase's own numbers where it has some. */
export interface RealtimeLimits {
  /** Bytes of one message. */
  messageBytes: number;
  /** Channels of one socket. */
  joins: number;
  /** Messages of one socket, lasting; twice as many at once. */
  eventsPerSecond: number;
  /** Broadcasts and changes of presence of one member of a channel, such as typing; likewise. */
  tellsPerSecond: number;
  /** Bytes of what someone says of themselves in a channel: it is kept as long as they are there. */
  presenceBytes: number;
  /** Channels in which one socket is there for the others to see. */
  presences: number;
  /** Open sockets of one network address: an office behind one address has many. */
  socketsPerAddress: number;
  /** Bytes that wait for one slow reader, who then gets nothing more but the reason. */
  unreadBytes: number;
  /** How long that reader has to take what waits, in milliseconds. */
  slowGoodbye: number;
  /** A socket that is silent for so long is gone, in milliseconds. */
  silence: number;
  /** How often sessions and permissions are looked at again, in milliseconds. */
  lookAgain: number;
  /** While nothing at all is written to the database, they are looked at only so often. */
  lookAgainIdle: number;
  /** A channel that could not be looked at so many times in a row ends: nobody knows who may hear. */
  unsure: number;
}

export const LIMITS: RealtimeLimits = {
  messageBytes: 256 * 1024,
  joins: 100,
  eventsPerSecond: 100,
  tellsPerSecond: 10,
  presenceBytes: 4 * 1024,
  presences: 20,
  socketsPerAddress: 500,
  unreadBytes: 1024 * 1024,
  slowGoodbye: 10_000,
  silence: 75_000,
  lookAgain: 3_000,
  lookAgainIdle: 30_000,
  unsure: 3,
};

/** Counts what may be done: `perSecond`, and twice that at once. */
export function createAllowance(perSecond: number): () => boolean {
  let left = perSecond * 2;
  let at = performance.now();
  return () => {
    const now = performance.now();
    left = Math.min(perSecond * 2, left + ((now - at) / 1000) * perSecond);
    at = now;
    if (left < 1) return false;
    left -= 1;
    return true;
  };
}
