import { randomUUID } from 'node:crypto';

/** Someone who is tracked in a channel of another process. */
export interface Elsewhere {
  topic: string;
  isPrivate: boolean;
  key: string;
  meta: Record<string, unknown> & { phx_ref: string };
}

/** What one process tells the others over the same database. */
export type PassedOn =
  | { kind: 'broadcast'; topic: string; isPrivate: boolean; event: string; payload: unknown }
  | { kind: 'joined'; person: Elsewhere; before: string | null }
  | { kind: 'left'; topic: string; isPrivate: boolean; ref: string }
  /** All who are tracked there, for whoever has just come. */
  | { kind: 'everyone'; people: Elsewhere[] };

export interface Parcels {
  /** Writes a message as lines that each fit into a notification. */
  pack(message: PassedOn): string[];
  /**
   * Reads a line: `none` when it is no part of a parcel, null while parts are missing and for what
   * this process has sent itself.
   */
  take(line: string): { message: PassedOn; from: string } | 'none' | null;
  /** Forgets parcels that are not whole: what was missed does not come any more. */
  forget(): void;
}

/** PostgreSQL refuses a notification of 8,000 bytes; a head of some 40 stands before each part. */
const LONGEST_PART = 7_900;

/**
 * A message of any length, over notifications of 8,000 bytes. What is sent in one transaction arrives
 * in one piece and in order, so parts are only put one after the other.
 *
 * @param self the mark of this process: letters and digits.
 */
export function createParcels(self: string): Parcels {
  const unfinished = new Map<string, string>();
  const head = /^part:(\w+):([\w-]+):(\d+):/;

  return {
    pack(message) {
      const payload = message.kind === 'broadcast' ? message.payload : null;
      const text = JSON.stringify(
        payload instanceof Uint8Array
          ? { ...message, payload: null, bytes: Buffer.from(payload).toString('base64') }
          : message,
      );
      // Cut as base64, so that no cut goes through a letter.
      const all = Buffer.from(text).toString('base64');
      const id = randomUUID().slice(0, 13);
      const count = Math.ceil(all.length / LONGEST_PART);
      return Array.from({ length: count }, (_, n) => {
        const part = all.slice(n * LONGEST_PART, (n + 1) * LONGEST_PART);
        return `part:${self}:${id}:${count - n - 1}:${part}`;
      });
    },
    take(line) {
      const [start, from, id, left] = head.exec(line) ?? [];
      if (start === undefined || from === undefined || id === undefined) return 'none';
      if (from === self) return null;
      const whole = (unfinished.get(id) ?? '') + line.slice(start.length);
      if (left !== '0') {
        unfinished.set(id, whole);
        return null;
      }
      unfinished.delete(id);
      const { bytes, ...message } = JSON.parse(Buffer.from(whole, 'base64').toString());
      if (bytes !== undefined) message.payload = Buffer.from(bytes, 'base64');
      return { message: message as PassedOn, from };
    },
    forget() {
      unfinished.clear();
    },
  };
}
