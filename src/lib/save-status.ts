/** How safe something is that a person wrote (`sync/` decides, `ui/SaveStatus` shows it). */
export type SaveStatus =
  | { name: 'saved' }
  | { name: 'saving' }
  /** Stored in this browser, and sent by itself as soon as that is possible. */
  | { name: 'offline' }
  /** The browser stores nothing: it lives as long as this tab. */
  | { name: 'memory-only' }
  /** Stored in this browser until the person signs in again. */
  | { name: 'signed-out' }
  /** It will never be accepted as it is: a sentence says why. */
  | { name: 'refused'; reason: string };
