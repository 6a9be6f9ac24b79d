/** What one client may take; Supabase's own numbers where it has some. */
export interface RealtimeLimits {
  /** Bytes of one message. */
  messageBytes: number;
  /** Channels of one socket. */
  joins: number;
  /** Messages of one socket, lasting; twice as many at once. */
  eventsPerSecond: number;
  /** Open sockets of one network address: an office behind one address has many. */
  socketsPerAddress: number;
  /** Bytes that wait for one slow reader, who is then cut off. */
  unreadBytes: number;
  /** A socket that is silent for so long is gone, in milliseconds. */
  silence: number;
  /** How often sessions and permissions are looked at again, in milliseconds. */
  lookAgain: number;
  /** A channel that could not be looked at so many times in a row ends: nobody knows who may hear. */
  unsure: number;
}

export const LIMITS: RealtimeLimits = {
  messageBytes: 256 * 1024,
  joins: 100,
  eventsPerSecond: 100,
  socketsPerAddress: 500,
  unreadBytes: 1024 * 1024,
  silence: 75_000,
  lookAgain: 3_000,
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
