/** The live connection of a tab. */
import type { ReadableAtom } from 'nanostores';

/** `away`: it was lost, or could not be made, and is tried again by itself. */
export type LiveState = 'connecting' | 'live' | 'away';

/** What somebody wants to hear of a channel. */
export interface ChannelHandlers {
  /** Something that was sent, by the database or by another person. */
  on?(event: string, payload: unknown): void;
  /** It is joined, for the first time or again: what was sent meanwhile was not heard. */
  onBack?(): void;
  /** The keys of those who are there. */
  onPresence?(keys: ReadonlySet<string>): void;
  /** The person may not be in it, or not any more. It is not tried again. */
  onEnd?(): void;
}

export interface Channel {
  /** Sends something to the others; lost when there is no connection. */
  send(event: string, payload: object): void;
  leave(): void;
}

export interface Live {
  $state: ReadableAtom<LiveState>;
  /** People who are here now, of those that are watched. */
  $present: ReadableAtom<ReadonlySet<string>>;
  /** Joins a private channel, or listens to one that this tab has joined already. */
  join(topic: string, handlers: ChannelHandlers): Channel;
  /** Asks who of these people is here, at most twenty at once; gives the end of it. */
  watch(people: readonly string[]): () => void;
  close(): void;
}
