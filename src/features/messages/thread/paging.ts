/** Which part of a conversation is on the page: further back, further on, at a place, at the end. */
import { atom, computed, type ReadableAtom, type WritableAtom } from 'nanostores';
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

export class Paging {
  readonly $older: ReadableAtom<Edge>;
  readonly $newer: ReadableAtom<Edge>;
  readonly #context: ConversationContext;
  readonly #loadingOlder = atom<Loading>(null);
  readonly #loadingNewer = atom<Loading>(null);

  constructor(context: ConversationContext) {
    const { $thread } = context.data;
    this.#context = context;
    this.$older = computed([$thread, this.#loadingOlder], (thread, loading) =>
      edgeOf(hasOlder(thread), loading),
    );
    this.$newer = computed([$thread, this.#loadingNewer], (thread, loading) =>
      edgeOf(hasNewer(thread), loading),
    );
  }

  loadOlder(): Promise<void> {
    return this.#load(this.#loadingOlder, () => ({ before: this.#thread().from }));
  }

  loadNewer(): Promise<void> {
    return this.#load(this.#loadingNewer, () => ({ after: this.#thread().to }));
  }

  async jumpTo(seq: number): Promise<boolean> {
    const { from, to } = this.#thread();
    if (seq >= from && seq <= to) return true;
    const isMoved = await this.#move(
      async (client) => (await getConversation(client, this.#context.data.id, seq))?.messages,
      () => void this.jumpTo(seq),
    );
    return isMoved && this.#thread().messages.has(seq);
  }

  async jumpToEnd(): Promise<boolean> {
    if (!hasNewer(this.#thread())) return true;
    const before = this.#thread().last + 1;
    return this.#move(
      async (client) => (await listMessages(client, this.#context.data.id, { before })).messages,
      () => void this.jumpToEnd(),
    );
  }

  #thread() {
    return this.#context.data.$thread.get();
  }

  async #load(
    $loading: WritableAtom<Loading>,
    place: () => { before: number } | { after: number },
  ): Promise<void> {
    if ($loading.get() === 'loading') return;
    const { data, db, reportError } = this.#context;
    $loading.set('loading');
    try {
      const { messages } = await listMessages(await db(), data.id, place());
      data.addMessages(messages);
      $loading.set(null);
    } catch (thrown) {
      $loading.set(reportError(thrown));
    }
  }

  async #move(
    fetchMessages: (client: Db) => Promise<Message[] | undefined>,
    retry: () => void,
  ): Promise<boolean> {
    const { data, db, reportError, showFailure } = this.#context;
    try {
      const messages = await fetchMessages(await db());
      if (!messages) return false;
      data.setThread(movedTo(this.#thread(), messages));
      return true;
    } catch (thrown) {
      showFailure('The messages were not opened', reportError(thrown), retry);
      return false;
    }
  }
}
