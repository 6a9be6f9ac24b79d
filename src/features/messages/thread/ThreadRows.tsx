import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { ShownMessage } from './conversation.ts';
import type { ThreadRow } from './thread-rows.ts';

export type Row = ThreadRow<ShownMessage>;

export interface RowsProps {
  rows: readonly Row[];
  /** What one row draws. */
  draw: (row: Row) => ReactNode;
  /** What stands before the first one. */
  before: ReactNode;
}

/** A day, or where the new ones begin: read in order with the messages. */
export function MarkRow({ row }: { row: Exclude<Row, { kind: 'message' }> }) {
  if (row.kind === 'day') {
    return (
      <h2 className="py-3 text-center font-text text-xs font-semibold text-muted">{row.text}</h2>
    );
  }
  return (
    <p className="flex items-center gap-3 px-4 py-2 text-xs font-semibold text-primary">
      <span className="h-px grow bg-primary" aria-hidden="true" />
      New
      <span className="h-px grow bg-primary" aria-hidden="true" />
    </p>
  );
}

/** What finds a row in the page again: its place in the conversation, and its name. */
export const rowFacts = (row: Row) => ({
  'data-row': row.key,
  'data-seq': row.kind === 'message' ? (row.message.seq ?? undefined) : undefined,
});

/** All rows, one under the other. */
export function ThreadRows({ rows, draw, before }: RowsProps) {
  return (
    <div>
      {before}
      <ol aria-label="Messages">
        {rows.map((row) => (
          <li key={row.key} {...rowFacts(row)}>
            {draw(row)}
          </li>
        ))}
      </ol>
    </div>
  );
}

interface ArrivalsProps {
  messages: readonly ShownMessage[];
  /** The newest message when the page came: only what follows is said. */
  after: number;
  nameOf: (message: ShownMessage) => string;
}

/** Lines that stay in the log: a screen reader reads each when it comes. */
const LINES = 5;

/** What is said of one's own message as it goes; nothing while it is on its way. */
function goingWords({ delivery }: ShownMessage): string {
  if (delivery.name === 'queued') return 'It waits for the connection.';
  if (delivery.name === 'failed') return `Not sent. ${delivery.why}`;
  return delivery.name === 'sent' || delivery.name === 'read' ? 'Sent.' : '';
}

/** Says whether what was written here has gone out, once, to whoever does not see its mark. */
export function Departures({ messages }: Pick<ArrivalsProps, 'messages'>) {
  const heard = useRef<ReadonlyMap<string, string> | null>(null);
  const [said, setSaid] = useState('');
  useEffect(() => {
    const own = messages.filter(({ mine, removed_at }) => mine && removed_at === null);
    const before = heard.current;
    heard.current = new Map(own.map(({ id, delivery }) => [id, delivery.name]));
    // What is read in later was sent before; one that nobody knew and that is not sent is new.
    const went = own.findLast(({ id, seq, delivery }) => {
      const was = before?.get(id);
      if (was === undefined) return seq === null;
      return was !== delivery.name && !(was === 'sent' && delivery.name === 'read');
    });
    if (before && went) setSaid(goingWords(went));
  }, [messages]);
  return (
    <p role="status" className="sr-only">
      {said}
    </p>
  );
}

/** Says what comes in from others to whoever does not see it. */
export function Arrivals({ messages, after, nameOf }: ArrivalsProps) {
  const heard = useRef(after);
  const [lines, setLines] = useState<readonly { id: string; text: string }[]>([]);
  const name = useRef(nameOf);
  name.current = nameOf;
  useEffect(() => {
    const news = messages.filter(({ seq }) => seq !== null && seq > heard.current);
    if (news.length === 0) return;
    heard.current = Math.max(...news.map(({ seq }) => seq ?? 0));
    const said = news
      .filter(({ mine, removed_at }) => !mine && removed_at === null)
      .map((message) => ({
        id: message.id,
        text: `${name.current(message)}: ${message.body || 'A file'}`,
      }));
    if (said.length > 0) setLines((before) => [...before, ...said].slice(-LINES));
  }, [messages]);
  return (
    <div role="log" aria-label="New messages" className="sr-only">
      {lines.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  );
}
