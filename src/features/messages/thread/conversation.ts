/** What the screens of a conversation show, and what its store needs. */
import type { Message, Quote } from '#data/messages.ts';
import type { Attempt, AttemptDeps } from '#lib/attempt.ts';
import type { AppError } from '#lib/errors.ts';
import type { Live } from '#lib/live.ts';
import type { Sync } from '#sync/sync.ts';
import type { ConversationData } from './conversation-data.ts';

/** How far a message has come. */
export type Delivery =
  /** A message of somebody else. */
  | { name: 'received' }
  /** Waits in this browser for a connection, or for the session. */
  | { name: 'queued' }
  | { name: 'sending' }
  | { name: 'sent' }
  /** By this many of the others. */
  | { name: 'read'; by: number }
  /** It was refused: `retry` or `discard` it. */
  | { name: 'failed'; why: string };

/** A message on the screen. One that isn't stored yet has no `seq`. */
export interface ShownMessage extends Omit<Message, 'seq' | 'revision'> {
  seq: number | null;
  mine: boolean;
  delivery: Delivery;
  /** A change that is shown and isn't saved yet. */
  changing: 'edit' | 'remove' | null;
}

/** Whether the person can write here, and if not, why. */
export type ThreadState =
  | { name: 'open' }
  | { name: 'closed'; why: string }
  /** The person takes no part in it any more. */
  | { name: 'gone'; why: string };

/** The first or last end of the messages on the page. */
export type Edge =
  | { name: 'end' }
  | { name: 'more' }
  | { name: 'loading' }
  | { name: 'failed'; error: AppError };

/** The message that is being written. */
export interface Draft {
  text: string;
  replyTo: Quote | null;
}

/** What opens something is called in a browser, when the store is opened. */
export interface ConversationDeps extends AttemptDeps {
  /** The id of the reader. */
  me: string;
  openLive: () => Live;
  openSync: () => Sync;
  /** Says that this conversation is in front of the person; returns its cleanup. */
  holdFront: (conversationId: string) => () => void;
  /** Sets the number of unread messages in all conversations. */
  setUnread: (total: number) => void;
}

/** What the parts of a conversation's store share. */
export interface ConversationContext extends ConversationDeps {
  data: ConversationData;
  attempt: Attempt;
  /** Gives the AppError of what was thrown, and reports an ended session. */
  reportError: (thrown: unknown) => AppError;
}
