/** Limits for one client; Supabase's own numbers where it has some. */
export const LIMITS = {
  /** Largest message, in bytes. */
  messageBytes: 256 * 1024,
  /** Channels per socket. */
  joins: 100,
  /** Sustained messages per second per socket; twice as many in a burst. */
  eventsPerSecond: 100,
  /** The same for one member's broadcasts and presence changes in a channel, such as typing. */
  sendsPerSecond: 10,
  /** Largest presence of a client in a channel, in bytes; it's kept for as long as it's tracked. */
  presenceBytes: 4 * 1024,
  /** Channels a socket can be tracked in. */
  presences: 20,
  /** Open sockets per network address: an office behind one address has many. */
  socketsPerAddress: 500,
  /** Bytes that may be waiting for a slow client; beyond that it gets only the reason to close. */
  unreadBytes: 1024 * 1024,
  /** How long that client has to read what's waiting, in milliseconds. */
  slowClose: 10_000,
  /** A socket that's silent for this long is considered gone, in milliseconds. */
  silence: 75_000,
  /** How often sessions and permissions are checked again, in milliseconds. */
  recheck: 3_000,
  /** How often they're checked while nothing at all is written to the database, in milliseconds. */
  recheckIdle: 30_000,
  /** How many failed checks in a row end a channel. */
  failedChecks: 3,
};
export type RealtimeLimits = typeof LIMITS;

/** A token bucket: allows `perSecond`, and twice that in a burst. */
export function createRateLimit(perSecond: number): () => boolean {
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
