/** The rows of a conversation: date headings, the line above the first new message, messages. */
import { dayOf, recentDayText } from '#lib/locale/dates.ts';

/** The fields that decide where a message goes. */
interface Placed {
  id: string;
  /** Null until it's stored. */
  seq: number | null;
  author_id: string | null;
  sent_at: string;
}

export type ThreadRow<M extends Placed> =
  | { kind: 'day'; key: string; text: string }
  | { kind: 'new'; key: string }
  | {
      kind: 'message';
      key: string;
      message: M;
      /** Whether it's the first or the last of a group of messages from one person. */
      first: boolean;
      last: boolean;
    };

export interface RowRules {
  /** The reader's IANA time zone, and the day there: `2026-11-21`. */
  timeZone: string;
  today: string;
  /** Sequence number of the first message that was unread at page load; null if none was. */
  newFrom: number | null;
}

/** Consecutive messages from one person are grouped if they're closer together than this. */
const TOGETHER_MS = 5 * 60_000;

/** Builds the rows for messages that are already in order. */
export function threadRows<M extends Placed>(
  messages: readonly M[],
  { timeZone, today, newFrom }: RowRules,
): ThreadRow<M>[] {
  const rows: ThreadRow<M>[] = [];
  let before: { message: M; day: string } | null = null;
  let marked = false;
  const days = new Set<string>();
  for (const message of messages) {
    const day = dayOf(message.sent_at, timeZone);
    const newDay: boolean = before?.day !== day;
    if (newDay) {
      rows.push({
        kind: 'day',
        // A day can repeat: messages unsent since yesterday come after today's.
        key: days.has(day) ? `day-${day}-${message.id}` : `day-${day}`,
        text: recentDayText(message.sent_at, timeZone, today),
      });
      days.add(day);
    }
    const isNew = !marked && newFrom !== null && message.seq !== null && message.seq >= newFrom;
    if (isNew) {
      marked = true;
      rows.push({ kind: 'new', key: 'new' });
    }
    const first: boolean = newDay || isNew || !before || !goesOn(before.message, message);
    const previous = rows.at(first ? -(1 + Number(newDay) + Number(isNew)) : -1);
    if (previous?.kind === 'message') previous.last = first;
    rows.push({ kind: 'message', key: message.id, message, first, last: true });
    before = { message, day };
  }
  return rows;
}

const goesOn = (earlier: Placed, later: Placed) =>
  earlier.author_id !== null &&
  earlier.author_id === later.author_id &&
  Math.abs(Date.parse(later.sent_at) - Date.parse(earlier.sent_at)) < TOGETHER_MS;
