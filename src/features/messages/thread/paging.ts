/** Which part of a conversation is on the page: further back, further on, at a place, at the end. */
import { atom, computed, type WritableAtom } from 'nanostores';
import { getConversation } from '#data/conversations.ts';
import { listMessages, type Message } from '#data/messages.ts';
import type { AppError } from '#lib/errors.ts';
import type { Db } from '#lib/supabase.ts';
import type { ConversationContext, Edge } from './conversation.ts';
import { hasNewer, hasOlder, movedTo } from './thread.ts';

type Loading = 'loading' | AppError | null;

const edgeOf = (hasMore: boolean, loading: Loading): Edge => {
  if (loading === 'loading') return { name: 'loading' };
  if (!hasMore) return { name: 'end' };
  return loading ? { name: 'failed', error: loading } : { name: 'more' };
};

export function createPaging({ data, db, reportError, attempt }: ConversationContext) {
  const { id, $thread } = data;
  const $loadingOlder = atom<Loading>(null);
  const $loadingNewer = atom<Loading>(null);

  async function load($loading: WritableAtom<Loading>, place: Parameters<typeof listMessages>[2]) {
    if ($loading.get() === 'loading') return;
    $loading.set('loading');
    try {
      data.addMessages((await listMessages(await db(), id, place)).messages);
      $loading.set(null);
    } catch (thrown) {
      $loading.set(reportError(thrown));
    }
  }

  const move = (fetchMessages: (client: Db) => Promise<Message[] | undefined>, retry: () => void) =>
    attempt(
      'The messages were not opened',
      async (client) => {
        const messages = await fetchMessages(client);
        if (messages) data.setThread(movedTo($thread.get(), messages));
      },
      retry,
    );

  /** Brings a place onto the page; gives whether it is there now. */
  async function jumpTo(seq: number): Promise<boolean> {
    const { from, to } = $thread.get();
    if (seq >= from && seq <= to) return true;
    const isMoved = await move(
      async (client) => (await getConversation(client, id, seq))?.messages,
      () => void jumpTo(seq),
    );
    return isMoved && $thread.get().messages.has(seq);
  }

  /** Brings the newest messages onto the page; gives whether they are there now. */
  async function jumpToEnd(): Promise<boolean> {
    if (!hasNewer($thread.get())) return true;
    const before = $thread.get().last + 1;
    return move(
      async (client) => (await listMessages(client, id, { before })).messages,
      () => void jumpToEnd(),
    );
  }

  return {
    $older: computed([$thread, $loadingOlder], (thread, loading) =>
      edgeOf(hasOlder(thread), loading),
    ),
    $newer: computed([$thread, $loadingNewer], (thread, loading) =>
      edgeOf(hasNewer(thread), loading),
    ),
    loadOlder: () => load($loadingOlder, { before: $thread.get().from }),
    loadNewer: () => load($loadingNewer, { after: $thread.get().to }),
    jumpTo,
    jumpToEnd,
  };
}
