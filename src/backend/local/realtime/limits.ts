/** What one client may take; Supabase's own numbers where it has some. */
export interface RealtimeLimits {
  /** Bytes of one message. */
  messageBytes: number;
  /** Channels of one socket. */
  joins: number;
  /** Messages of one socket, lasting; twice as many at once. */
  eventsPerSecond: number;
  /** Broadcasts and changes of presence of one member of a channel, such as typing; likewise. */
  sendsPerSecond: number;
  /** Bytes of one client's presence in a channel, which is kept for as long as it is tracked. */
  presenceBytes: number;
  /** Channels in which one socket is tracked. */
  presences: number;
  /** Open sockets of one network address: an office behind one address has many. */
  socketsPerAddress: number;
  /** Bytes that wait for one slow reader, who then gets nothing more but the reason. */
  unreadBytes: number;
  /** How long that reader has to take what waits, in milliseconds. */
  slowClose: number;
  /** A socket that is silent for so long is gone, in milliseconds. */
  silence: number;
  /** How often sessions and permissions are checked again, in milliseconds. */
  recheck: number;
  /** While nothing at all is written to the database, they are checked only so often. */
  recheckIdle: number;
  /** A channel that couldn't be checked so many times in a row ends. */
  failedChecks: number;
}

export const LIMITS: RealtimeLimits = {
  messageBytes: 256 * 1024,
  joins: 100,
  eventsPerSecond: 100,
  sendsPerSecond: 10,
  presenceBytes: 4 * 1024,
  presences: 20,
  socketsPerAddress: 500,
  unreadBytes: 1024 * 1024,
  slowClose: 10_000,
  silence: 75_000,
  recheck: 3_000,
  recheckIdle: 30_000,
  failedChecks: 3,
};

/** A token bucket: allows `perSecond`, and twice that at once. */
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
