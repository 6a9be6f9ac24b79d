/** Stored messages as they are shown: with what is being changed, and who has read them. */
import type { Reader } from '#data/conversations.ts';
import type { Message } from '#data/messages.ts';
import { quoteOf } from '../composer/pending-messages.ts';
import type { ShownMessage } from './conversation.ts';
import { shownOf, type Thread } from './thread.ts';

/** A change of one's own that is on its way. */
export interface Change {
  kind: 'edit' | 'remove';
  body: string | null;
}

interface Drawn {
  from: Message;
  key: string;
  shown: ShownMessage;
}

/** Draws a thread for one reader; what has not changed is the same object as before. */
export function createDrawing(me: string) {
  let drawn = new Map<string, Drawn>();

  return function draw(
    thread: Thread,
    people: readonly Reader[],
    changes: ReadonlyMap<string, Change>,
  ): ShownMessage[] {
    const readers = people.filter((person) => person.id !== me && !person.left);
    const next = new Map<string, Drawn>();
    for (const from of shownOf(thread)) {
      const by = from.author_id === me ? readers.filter((r) => r.read_seq >= from.seq).length : -1;
      const change = changes.get(from.id);
      const quoted = from.reply_to ? thread.messages.get(from.reply_to.seq) : undefined;
      const key = `${by} ${quoted?.revision} ${change?.kind ?? ''} ${change?.body ?? ''}`;
      const was = drawn.get(from.id);
      if (was?.from === from && was.key === key) next.set(from.id, was);
      else next.set(from.id, { from, key, shown: shownStored(from, by, quoted, change) });
    }
    drawn = next;
    return [...next.values()].map(({ shown }) => shown);
  };
}

/** @param by how many others have read it; -1 for what others wrote */
function shownStored(
  from: Message,
  by: number,
  quoted: Message | undefined,
  change: Change | undefined,
): ShownMessage {
  const { revision: _revision, ...message } = from;
  const now = new Date().toISOString();
  const shown: ShownMessage = {
    ...message,
    // What is told to all leaves out words that some may not read; this person has them.
    reply_to: quoted && quoted.id === from.reply_to?.id ? quoteOf(quoted) : from.reply_to,
    mine: by >= 0,
    delivery: by > 0 ? { name: 'read', by } : { name: by === 0 ? 'sent' : 'received' },
    changing: change?.kind ?? null,
  };
  if (change?.kind === 'edit') return { ...shown, body: change.body, edited_at: now };
  return change ? { ...shown, body: null, files: [], removed_at: now } : shown;
}
