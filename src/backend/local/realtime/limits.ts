/** What one client may take; Supabase's own numbers where it has some. */
export const LIMITS = {
  /** Bytes of one message. */
  messageBytes: 256 * 1024,
  /** Channels of one socket. */
  joins: 100,
  /** Sustained messages per second of one socket; twice as many in a burst. */
  eventsPerSecond: 100,
  /** Broadcasts and changes of presence of one member of a channel, such as typing; likewise. */
  sendsPerSecond: 10,
  /** Bytes of one client's presence in a channel, which is kept for as long as it is tracked. */
  presenceBytes: 4 * 1024,
  /** Channels one socket can be tracked in. */
  presences: 20,
  /** Open sockets of one network address: an office behind one address has many. */
  socketsPerAddress: 500,
  /** Bytes that wait for one slow reader, who then gets nothing more but the reason. */
  unreadBytes: 1024 * 1024,
  /** How long that reader has to take what waits, in milliseconds. */
  slowClose: 10_000,
  /** A socket that's silent for this long is considered gone, in milliseconds. */
  silence: 75_000,
  /** How often sessions and permissions are checked again, in milliseconds. */
  recheck: 3_000,
  /** While nothing at all is written to the database, they are checked only so often. */
  recheckIdle: 30_000,
  /** A channel that couldn't be checked so many times in a row ends. */
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
