/** What a person writes: the draft, and messages that have not arrived. */
import { atom, computed } from 'nanostores';
import type { ConversationView } from '#data/conversations.ts';
import type { Message, MessageFile } from '#data/messages.ts';
import { newId } from '#lib/new-id.ts';
import { draftKind } from '#sync/kinds/draft.ts';
import { messageKind, type WrittenMessage } from '#sync/kinds/message.ts';
import { createPendingList } from '#sync/pending-list.ts';
import type { Sync } from '#sync/sync.ts';
import type { Draft, Place } from '../thread/conversation.ts';
import type { PendingMessage } from './pending-messages.ts';

const NOTHING: Draft = { text: '', replyTo: null };

interface WritingDeps {
  /** Called once, in a browser. */
  openSync: () => Sync;
  /** Ids of messages that are stored, as far as this page knows. */
  stored: () => ReadonlySet<string>;
  /** This tab has sent one, and this is what the database made of it. */
  onStored: (message: Message) => void;
  /** Another tab has sent one, and what became of it was not heard. */
  onMissed: () => void;
  /** Something was written, and is on its way. */
  onSent: () => void;
}

/** Sent by another tab, while so many questions had been asked about what was missed. */
type Unheard = PendingMessage & { asked: number };

export function createWriting({ id, me }: Place, deps: WritingDeps, { draft }: ConversationView) {
  const $unheard = atom<readonly Unheard[]>([]);
  const $draft = atom<Draft>({ text: draft?.body ?? '', replyTo: draft?.reply_to ?? null });
  const pending = createPendingList({
    openSync: deps.openSync,
    kind: messageKind,
    belongs: ({ conversationId }) => conversationId === id,
    onStored(value, answer) {
      if (answer) {
        deps.onStored(answer);
        went();
      } else if (!deps.stored().has(value.id)) {
        // Still on the page as on its way, until this page hears of it.
        const item = { key: value.id, value, at: Date.now(), status: { name: 'saving' as const } };
        $unheard.set([...$unheard.get(), { ...item, asked }]);
        deps.onMissed();
      }
    },
  });
  let draftIsStored = draft !== null;
  /** Typed in this tab, not taken over from another one. */
  let ownWords = false;
  /** How many questions were asked about what was missed. */
  let asked = 0;
  let sync: Sync | null = null;

  /** Takes over a draft that was kept before a reload, or in another tab. */
  function followDraft() {
    const kept = sync?.unsentOf(draftKind).find(({ key }) => key === id);
    if (!kept) return;
    const { body, quote } = kept.value;
    draftIsStored ||= body !== '';
    if (body === $draft.get().text && quote?.id === $draft.get().replyTo?.id) return;
    ownWords = false;
    $draft.set({ text: body, replyTo: quote });
  }

  function keep(next: Draft) {
    $draft.set(next);
    ownWords = true;
    put(next);
  }

  function put({ text, replyTo }: Draft) {
    const value = { conversationId: id, body: text, replyTo: replyTo?.id ?? null, quote: replyTo };
    sync?.write(draftKind, id, value);
    draftIsStored ||= text !== '';
  }

  /** Takes the draft away here, and where other devices find it. */
  function dropDraft() {
    $draft.set(NOTHING);
    // Sending takes it away there too; but that may be a while.
    if (draftIsStored) keep(NOTHING);
    else sync?.discard(draftKind, id);
  }

  /** This tab has sent one: the database has taken the draft away, whatever it was. */
  function went() {
    const { text, replyTo } = $draft.get();
    if (text !== '') {
      // The next words may have got there before the message did.
      put({ text, replyTo });
      return;
    }
    if (replyTo !== null) return;
    sync?.discard(draftKind, id);
    draftIsStored = false;
  }

  function send(files: readonly MessageFile[] = []) {
    const { text, replyTo } = $draft.get();
    const body = text.trim();
    if (!sync || (body === '' && files.length === 0)) return;
    const written: WrittenMessage = {
      ...{ id: newId(), conversationId: id, body, replyTo: replyTo?.id ?? null },
      ...{ files: files.map((file) => file.id), quote: replyTo, brought: [...files] },
    };
    dropDraft();
    pending.add(written.id, written);
    deps.onSent();
  }

  function discard(messageId: string) {
    const written = pending.$items.get().find(({ key }) => key === messageId)?.value;
    pending.discard(messageId);
    if (written?.body && $draft.get().text.trim() === '') {
      keep({ text: written.body, replyTo: written.quote });
    }
  }

  return {
    $draft,
    $pending: computed([$unheard, pending.$items], (unheard, items) => [...unheard, ...items]),
    keep,
    send,
    retry: pending.retry,
    discard,
    /** A message is stored: its words are no draft any more. */
    arrived({ author_id, body }: Message) {
      const text = $draft.get().text.trim();
      // Sent from another tab, out of the words that are here as well.
      if (author_id === me && !ownWords && text !== '' && body === text) $draft.set(NOTHING);
    },
    /** The connection or the session is back: what waits is tried now. */
    flush: () => sync?.flush(),
    /** Begins a question about what was missed; its number is for `answered`. */
    asks() {
      asked += 1;
      return asked;
    },
    /** What is stored waits no more; nor does what was given up in another tab. */
    answered(question = 0) {
      const there = deps.stored();
      const left = $unheard.get().filter((each) => each.asked >= question && !there.has(each.key));
      if (left.length < $unheard.get().length) $unheard.set(left);
    },
    /** Follows what is written in all tabs; gives the end of it. */
    open(): () => void {
      const opened = deps.openSync();
      sync = opened;
      const stops = [pending.open(), opened.$unsent.subscribe(followDraft)];
      return () => {
        for (const stop of stops) stop();
        sync = null;
      };
    },
  };
}
