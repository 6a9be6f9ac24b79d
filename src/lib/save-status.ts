/** How safe a person's input is. `sync/` sets it, `ui/SaveStatus` shows it. */
export type SaveStatus =
  | { name: 'saved' }
  | { name: 'saving' }
  /** Stored in this browser; we'll send it as soon as possible. */
  | { name: 'offline' }
  /** The browser won't store it, so it's lost when this tab closes. */
  | { name: 'memory-only' }
  /** Stored in this browser; we'll send it when the person signs in again. */
  | { name: 'signed-out' }
  /** The server will never accept it as is, for this reason. */
  | { name: 'refused'; reason: string };
