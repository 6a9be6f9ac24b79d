/** Which part of a conversation is on the page: further back, further on, at a place, at the end. */
import { atom, computed, type WritableAtom } from 'nanostores';
import { getConversation } from '#data/conversations.ts';
import { listMessages, type Message } from '#data/messages.ts';
import type { AppError } from '#lib/errors.ts';
import type { Db } from '#lib/supabase.ts';
import type { Edge, Place } from './conversation.ts';
import { hasNewer, hasOlder, movedTo, type Thread, withMessages } from './thread.ts';

type Loading = 'loading' | AppError | null;

const edgeOf = (more: boolean, loading: Loading): Edge => {
  if (loading === 'loading') return { name: 'loading' };
  if (!more) return { name: 'end' };
  return loading ? { name: 'failed', error: loading } : { name: 'more' };
};

export function createMoving(
  { id, db, heard, failed }: Place,
  $thread: WritableAtom<Thread>,
  took: (thread: Thread) => void,
) {
  const $loadingOlder = atom<Loading>(null);
  const $loadingNewer = atom<Loading>(null);

  async function load(
    $loading: WritableAtom<Loading>,
    place: () => { before: number } | { after: number },
  ): Promise<void> {
    if ($loading.get() === 'loading') return;
    $loading.set('loading');
    try {
      const { messages } = await listMessages(await db(), id, place());
      took(withMessages($thread.get(), messages));
      $loading.set(null);
    } catch (thrown) {
      $loading.set(heard(thrown));
    }
  }

  async function jump(
    ask: (client: Db) => Promise<Message[] | undefined>,
    again: () => void,
  ): Promise<boolean> {
    try {
      const messages = await ask(await db());
      if (!messages) return false;
      took(movedTo($thread.get(), messages));
      return true;
    } catch (thrown) {
      failed('The messages were not opened', heard(thrown), again);
      return false;
    }
  }

  async function jumpTo(seq: number): Promise<boolean> {
    const { from, to } = $thread.get();
    if (seq >= from && seq <= to) return true;
    const there = await jump(
      async (client) => (await getConversation(client, id, seq))?.messages,
      () => void jumpTo(seq),
    );
    return there && $thread.get().messages.has(seq);
  }

  async function jumpToEnd(): Promise<boolean> {
    if (!hasNewer($thread.get())) return true;
    const before = $thread.get().last + 1;
    return jump(
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
    loadOlder: () => load($loadingOlder, () => ({ before: $thread.get().from })),
    loadNewer: () => load($loadingNewer, () => ({ after: $thread.get().to })),
    jumpTo,
    jumpToEnd,
  };
}
