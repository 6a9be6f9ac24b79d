/** A conversation on its page: what its screens show, and what its store can do. */
import type { ReadableAtom } from 'nanostores';
import type { Conversation, Person, Reader } from '#data/conversations.ts';
import type { Message, MessageFile, Quote } from '#data/messages.ts';
import type { AppError } from '#lib/errors.ts';
import type { Live, LiveState } from '#lib/live.ts';
import type { Db } from '#lib/supabase.ts';
import type { Sync } from '#sync/sync.ts';

/** How far a message of one's own has come. */
export type Delivery =
  /** Somebody else's. */
  | { name: 'received' }
  /** Waits in this browser for a connection, or for the session. */
  | { name: 'queued' }
  | { name: 'sending' }
  | { name: 'sent' }
  /** By so many of the others. */
  | { name: 'read'; by: number }
  /** It will not be accepted as it is; `retry` and `discard` are the ways out. */
  | { name: 'failed'; why: string };

/** A message on the screen. One that is not stored yet has no place. */
export interface ShownMessage extends Omit<Message, 'seq' | 'revision'> {
  seq: number | null;
  mine: boolean;
  delivery: Delivery;
  /** A change of one's own that is on its way; it shows already. */
  changing: 'edit' | 'remove' | null;
}

/** Whether one can write here, and why not in words. */
export type ThreadState =
  | { name: 'open' }
  | { name: 'closed'; why: string }
  /** The person takes no part in it any more. */
  | { name: 'gone'; why: string };

/** An end of the messages that are on the page. */
export type Edge =
  | { name: 'end' }
  | { name: 'more' }
  | { name: 'loading' }
  | { name: 'failed'; error: AppError };

/** What is being written. */
export interface Draft {
  text: string;
  replyTo: Quote | null;
}

export interface ConversationDeps {
  db: () => Promise<Db>;
  /** Called in a browser, when the store is opened. */
  openLive: () => Live;
  /** The same: where what is written goes. */
  openSync: () => Sync;
  /** Says that this conversation is in front of the person; gives the end of it. */
  holdFront: (conversationId: string) => () => void;
  /** Unread messages of all conversations, after some were read. */
  unread: (total: number) => void;
  /** The id of whoever looks at it. */
  me: string;
  signedOut: () => void;
  /** Tells the person what did not happen; `again` tries it once more. */
  failed: (what: string, error: AppError, again: () => void) => void;
}

export interface ConversationStore {
  $conversation: ReadableAtom<Conversation>;
  /** In order; what is not sent yet comes last. */
  $messages: ReadableAtom<readonly ShownMessage[]>;
  /** Everybody who takes part, oneself too. */
  $people: ReadableAtom<readonly Reader[]>;
  /** Others who are writing now. */
  $typing: ReadableAtom<readonly Person[]>;
  /** Others who are here now, by id. */
  $present: ReadableAtom<ReadonlySet<string>>;
  $state: ReadableAtom<ThreadState>;
  /** How the live connection is. */
  $connection: ReadableAtom<LiveState>;
  $older: ReadableAtom<Edge>;
  $newer: ReadableAtom<Edge>;
  $draft: ReadableAtom<Draft>;
  /** Whether the person blocked the other one. */
  $blocked: ReadableAtom<boolean>;
  /** The first message that was unread when the page came; its line stays until the page goes. */
  firstUnread: number | null;
  /** Joins the live channel and follows what is unsent; gives the end of all of it. */
  open(): () => void;
  /** Sends what is written, with files that are stored already. Nothing to send does nothing. */
  send(files?: readonly MessageFile[]): void;
  /** Sends a failed one again. */
  retry(id: string): void;
  /** Forgets one that is not sent; its words go back to the draft where that is empty. */
  discard(id: string): void;
  /** Shows the change at once and puts it back where it is refused. Gives whether it is saved. */
  edit(id: string, text: string): Promise<boolean>;
  /** The same for taking a message away. */
  remove(id: string): Promise<boolean>;
  loadOlder(): Promise<void>;
  loadNewer(): Promise<void>;
  /** Brings a place onto the page; gives whether it is there now. */
  jumpTo(seq: number): Promise<boolean>;
  /** Brings the newest messages onto the page. */
  jumpToEnd(): Promise<boolean>;
  /** The person has seen messages up to here. */
  readUpTo(seq: number): void;
  /** Keeps what is written, and shows the others that somebody writes. */
  write(text: string): void;
  reply(to: ShownMessage | null): void;
  mute(muted: boolean): Promise<void>;
  block(blocked: boolean): Promise<void>;
}

/** What the parts of a conversation's store share. */
export interface Place {
  id: string;
  me: string;
  db: () => Promise<Db>;
  /** The AppError of what was thrown; somebody who is signed out is told so. */
  heard: (thrown: unknown) => AppError;
  failed: ConversationDeps['failed'];
}
