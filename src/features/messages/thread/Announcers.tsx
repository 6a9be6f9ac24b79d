/** What screen readers hear of messages that come and go. */

import { useEffect, useRef, useState } from 'react';
import type { Reader } from '#data/conversations.ts';
import { authorName } from '#domain/message.ts';
import type { ShownMessage } from './conversation.ts';

/** Lines that stay in the log: each is read when it appears. */
const LINES = 5;

function deliveryText({ delivery }: ShownMessage): string {
  if (delivery.name === 'queued') return 'It waits for the connection.';
  if (delivery.name === 'failed') return `Not sent. ${delivery.why}`;
  return delivery.name === 'sent' || delivery.name === 'read' ? 'Sent.' : '';
}

/** Announces once whether a message of the reader was sent. */
export function SentAnnouncer({ messages }: { messages: readonly ShownMessage[] }) {
  const deliveries = useRef<ReadonlyMap<string, string> | null>(null);
  const [text, setText] = useState('');
  useEffect(() => {
    const own = messages.filter(({ mine, removed_at }) => mine && removed_at === null);
    const before = deliveries.current;
    deliveries.current = new Map(own.map(({ id, delivery }) => [id, delivery.name]));
    const changed = own.findLast(({ id, seq, delivery }) => {
      const was = before?.get(id);
      // An unknown message that is stored was loaded from an earlier page.
      if (was === undefined) return seq === null;
      return was !== delivery.name && !(was === 'sent' && delivery.name === 'read');
    });
    if (before && changed) setText(deliveryText(changed));
  }, [messages]);
  return (
    <p role="status" className="sr-only">
      {text}
    </p>
  );
}

interface ReceivedProps {
  messages: readonly ShownMessage[];
  /** The newest message when the page was loaded: only later ones are announced. */
  after: number;
  people: ReadonlyMap<string, Reader>;
}

/** Announces the messages of others as they arrive. */
export function ReceivedAnnouncer({ messages, after, people }: ReceivedProps) {
  const announced = useRef(after);
  const [lines, setLines] = useState<readonly { id: string; text: string }[]>([]);
  const latestPeople = useRef(people);
  latestPeople.current = people;
  useEffect(() => {
    const arrived = messages.filter(({ seq }) => seq !== null && seq > announced.current);
    if (arrived.length === 0) return;
    announced.current = Math.max(...arrived.map(({ seq }) => seq ?? 0));
    const added = arrived
      .filter(({ mine, removed_at }) => !mine && removed_at === null)
      .map(({ id, author_id, body }) => ({
        id,
        text: `${authorName(author_id, latestPeople.current)}: ${body || 'A file'}`,
      }));
    if (added.length > 0) setLines((before) => [...before, ...added].slice(-LINES));
  }, [messages]);
  return (
    <div role="log" aria-label="New messages" className="sr-only">
      {lines.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  );
}
