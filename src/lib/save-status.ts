/** How safe something a person wrote is (`sync/` decides, `ui/SaveStatus` shows it). */
export type SaveStatus =
  | { name: 'saved' }
  | { name: 'saving' }
  /** Stored in this browser, and sent automatically as soon as possible. */
  | { name: 'offline' }
  /** The browser stores nothing, so it lasts only as long as this tab. */
  | { name: 'memory-only' }
  /** Stored in this browser until the person signs in again. */
  | { name: 'signed-out' }
  /** It will never be accepted as it is; the reason says why. */
  | { name: 'refused'; reason: string };
