/** What a person writes: the draft, and what is on its way by the outbox. */
import { atom } from 'nanostores';
import type { ConversationView } from '#data/conversations.ts';
import type { Message, MessageFile, Quote } from '#data/messages.ts';
import { newId } from '#lib/new-id.ts';
import type { Outbox, OutboxState } from '#sync/outbox.ts';
import type { Draft, Place } from '../thread/conversation.ts';
import { DRAFT, followed, MESSAGE, type Waiting, type Written, waitingIn } from './being-sent.ts';

const NOTHING: Draft = { text: '', replyTo: null };

interface WritingDeps {
  /** Ids of messages that are stored, as far as this page knows. */
  stored: () => ReadonlySet<string>;
  /** Something left the outbox, and what became of it was not heard. */
  missed: () => void;
  /** Something was put into it. */
  sent: () => void;
}

export function createWriting(
  { id, me }: Place,
  { stored, missed, sent }: WritingDeps,
  { draft }: ConversationView,
) {
  const $waiting = atom<readonly Waiting[]>([]);
  const $sending = atom<OutboxState['name']>('empty');
  const $draft = atom<Draft>({ text: draft?.body ?? '', replyTo: draft?.reply_to ?? null });
  let draftIsStored = draft !== null;
  /** Typed in this tab, not taken over from another one. */
  let ownWords = false;
  /** How many questions were asked about what was missed. */
  let asked = 0;
  let outbox: Outbox | null = null;

  function follow(box: Outbox) {
    const entries = box.$entries.get();
    const there = stored();
    const now = waitingIn(entries, id);
    $waiting.set(followed($waiting.get(), now, (each) => there.has(each), asked));
    if ($waiting.get().some(({ leftAt }) => leftAt === asked)) missed();
    const kept = entries.find(({ kind, key }) => kind === DRAFT && key === id);
    if (!kept) return;
    const { body, quote } = kept.body as { body: string; quote: Quote | null };
    // Kept before a reload, or in another tab: it gets there by itself.
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
    outbox?.put(DRAFT, id, {
      ...{ conversationId: id, body: text, replyTo: replyTo?.id ?? null, quote: replyTo },
    });
    draftIsStored ||= text !== '';
  }

  /** Takes the draft away here, and where other devices find it. */
  function drop() {
    $draft.set(NOTHING);
    // Sending takes it away there too; but that may be a while.
    if (draftIsStored) keep(NOTHING);
    else outbox?.drop(DRAFT, id);
  }

  function send(files: readonly MessageFile[] = []) {
    const { text, replyTo } = $draft.get();
    const body = text.trim();
    if (!outbox || (body === '' && files.length === 0)) return;
    const written: Written = {
      ...{ id: newId(), conversationId: id, body, replyTo: replyTo?.id ?? null },
      ...{ files: files.map((file) => file.id), quote: replyTo, brought: [...files] },
    };
    drop();
    outbox.put(MESSAGE, written.id, written);
    sent();
  }

  const waitingFor = (messageId: string) =>
    $waiting.get().find(({ written }) => written.id === messageId)?.written;

  return {
    $waiting,
    $sending,
    $draft,
    keep,
    send,
    retry(messageId: string) {
      const written = waitingFor(messageId);
      if (written) outbox?.put(MESSAGE, messageId, written);
    },
    discard(messageId: string) {
      const written = waitingFor(messageId);
      $waiting.set($waiting.get().filter((each) => each.written.id !== messageId));
      outbox?.drop(MESSAGE, messageId);
      if (written?.body && $draft.get().text.trim() === '') {
        keep({ text: written.body, replyTo: written.quote });
      }
    },
    /** A message is stored: it waits no more, nor do its words stand in the draft. */
    arrived({ author_id, body }: Message) {
      const text = $draft.get().text.trim();
      // Sent from another tab, out of the words that stand here as well.
      if (author_id === me && !ownWords && text !== '' && body === text) $draft.set(NOTHING);
    },
    /** This tab has sent one: the database has taken the draft away, whatever stood in it. */
    went() {
      const { text, replyTo } = $draft.get();
      if (text !== '') {
        // The next words may have got there before the message did.
        put({ text, replyTo });
        return;
      }
      if (replyTo !== null) return;
      outbox?.drop(DRAFT, id);
      draftIsStored = false;
    },
    /** The connection or the session is back: what waits is tried now. */
    flush: () => outbox?.flush(),
    /** Begins a question about what was missed; its number is for `answered`. */
    asks() {
      asked += 1;
      return asked;
    },
    /** What is stored waits no more; nor does what was given up in another tab. */
    answered(question?: number) {
      const there = stored();
      const left = $waiting.get().filter(({ written, leftAt }) => {
        const gone = question !== undefined && leftAt !== null && leftAt < question;
        return !gone && !there.has(written.id);
      });
      if (left.length < $waiting.get().length) $waiting.set(left);
    },
    /** Follows an outbox; gives the end of it. */
    open(box: Outbox, signedOut: () => void): () => void {
      outbox = box;
      const stops = [
        box.$entries.subscribe(() => follow(box)),
        box.$state.subscribe(({ name }) => {
          if (name === 'signed-out') signedOut();
          $sending.set(name);
        }),
      ];
      return () => {
        for (const stop of stops) stop();
        box.close();
        outbox = null;
      };
    },
  };
}
