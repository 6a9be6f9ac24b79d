/** The conversations of a person: newest first, live, searched and paged in the database. */
import type { ReadableAtom } from 'nanostores';
import type { Conversation } from '#data/conversations.ts';
import type { FoundMessage } from '#data/messages.ts';
import type { AppError } from '#lib/errors.ts';
import type { Db } from '#lib/supabase.ts';
import type { Live } from '#stores/live.ts';

/** How what is on the page stands to what is asked for. */
export type ListState =
  | { name: 'ready' }
  | { name: 'loading' }
  /** The rows are those of before. */
  | { name: 'failed'; error: AppError };

/** What a search found in messages; null while nothing is searched. */
export interface FoundMessages {
  messages: readonly FoundMessage[];
  more: boolean;
}

export interface ConversationListDoors {
  db: () => Promise<Db>;
  openLive: () => Live;
  me: string;
  signedOut: () => void;
}

export interface ConversationListStore {
  /** Newest first; while something is searched, those that fit it. */
  $list: ReadableAtom<readonly Conversation[]>;
  $more: ReadableAtom<boolean>;
  $state: ReadableAtom<ListState>;
  $words: ReadableAtom<string>;
  $found: ReadableAtom<FoundMessages | null>;
  /** People who are here now, by id. */
  $present: ReadableAtom<ReadonlySet<string>>;
  supportId: string | null;
  /** Follows what happens; gives the end of it. */
  open(): () => void;
  /** Searches as one types; waits for a pause. Empty shows everything again. */
  search(words: string): void;
  /** The next page of conversations. */
  more(): Promise<void>;
  /** The next page of messages that were found. */
  moreFound(): Promise<void>;
  /** Asks again after a failure. */
  retry(): Promise<void>;
}
