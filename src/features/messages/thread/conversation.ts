/** What the screens of a conversation show, and what its store needs. */
import type { Message, Quote } from '#data/messages.ts';
import type { AppError } from '#lib/errors.ts';
import type { Live } from '#lib/live.ts';
import type { Db } from '#lib/supabase.ts';
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

export interface ConversationDeps {
  /** The id of the reader. */
  me: string;
  db: () => Promise<Db>;
  /** Called in a browser, when the store is opened. */
  openLive: () => Live;
  /** Called in a browser, when the store is opened: what is written goes there. */
  openSync: () => Sync;
  /** Says that this conversation is in front of the person; returns its cleanup. */
  holdFront: (conversationId: string) => () => void;
  /** Sets the number of unread messages in all conversations. */
  setUnread: (total: number) => void;
  signedOut: () => void;
  /** Tells the person what failed. */
  showFailure: (title: string, error: AppError, retry: () => void) => void;
}

/** What the parts of a conversation's store share. */
export interface ConversationContext extends ConversationDeps {
  data: ConversationData;
  /** Gives the AppError of what was thrown, and reports an ended session. */
  reportError: (thrown: unknown) => AppError;
}
