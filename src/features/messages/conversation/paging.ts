/** Loads parts of a conversation: older or newer messages, those around one message, or the end. */
import { atom, computed } from 'nanostores';
import { getConversation } from '#data/conversations.ts';
import { listMessages, type Message } from '#data/messages.ts';
import { AppError } from '#lib/errors.ts';
import type { Db } from '#lib/supabase.ts';
import type { ConversationContext, Edge } from './shown-messages.ts';
import { hasNewer, hasOlder, movedTo, type Thread } from './thread.ts';

type Loading = 'loading' | AppError | null;

const edgeOf = (hasMore: boolean, loading: Loading): Edge => {
  if (loading === 'loading') return { name: 'loading' };
  if (!hasMore) return { name: 'end' };
  return loading ? { name: 'failed', error: loading } : { name: 'more' };
};

/** One end of the messages on the page, and a function that loads more beyond it. */
function createEdge(
  { data, db, reportError }: ConversationContext,
  hasMore: (thread: Thread) => boolean,
  place: (thread: Thread) => Parameters<typeof listMessages>[2],
) {
  const { id, $thread } = data;
  const $loading = atom<Loading>(null);

  async function load() {
    if ($loading.get() === 'loading') return;
    $loading.set('loading');
    try {
      const { messages } = await listMessages(await db(), id, place($thread.get()));
      data.addMessages(messages);
      $loading.set(null);
    } catch (thrown) {
      $loading.set(reportError(thrown));
    }
  }

  return {
    $edge: computed([$thread, $loading], (thread, loading) => edgeOf(hasMore(thread), loading)),
    load,
    /** Retries a failed load. */
    retry: () => $loading.get() instanceof AppError && void load(),
  };
}

export function createPaging(context: ConversationContext) {
  const { attempt, data } = context;
  const { id, $thread } = data;
  const older = createEdge(context, hasOlder, ({ from }) => ({ before: from }));
  const newer = createEdge(context, hasNewer, ({ to }) => ({ after: to }));

  const move = (fetchMessages: (client: Db) => Promise<Message[] | undefined>, retry: () => void) =>
    attempt(
      'We couldn’t open those messages',
      async (client) => {
        const messages = await fetchMessages(client);
        if (messages) data.setThread(movedTo($thread.get(), messages));
      },
      retry,
    );

  /** Loads the messages around a sequence number; returns whether it's on the page now. */
  async function jumpTo(seq: number): Promise<boolean> {
    const { from, to } = $thread.get();
    if (seq >= from && seq <= to) return true;
    const isMoved = await move(
      async (client) => (await getConversation(client, id, seq))?.messages,
      () => void jumpTo(seq),
    );
    return isMoved && $thread.get().messages.has(seq);
  }

  /** Loads the newest messages; returns whether they're on the page now. */
  async function jumpToEnd(): Promise<boolean> {
    if (!hasNewer($thread.get())) return true;
    const before = $thread.get().last + 1;
    return move(
      async (client) => (await listMessages(client, id, { before })).messages,
      () => void jumpToEnd(),
    );
  }

  return {
    $older: older.$edge,
    $newer: newer.$edge,
    loadOlder: older.load,
    loadNewer: newer.load,
    retry() {
      older.retry();
      newer.retry();
    },
    jumpTo,
    jumpToEnd,
  };
}
