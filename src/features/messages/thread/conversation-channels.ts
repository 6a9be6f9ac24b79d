/** The live channels of one conversation: its messages, who types, and who is present. */
import type { Channel, ChannelHandlers, Live } from '#lib/live.ts';
import type { ConversationData } from './conversation-data.ts';

const TYPING = 'typing';

interface ChannelDeps {
  data: ConversationData;
  messages: ChannelHandlers;
  /** One of the others is typing. */
  onTyping: (personId: string) => void;
}

export class ConversationChannels {
  readonly #live: Live;
  readonly #deps: ChannelDeps;
  #channels: Channel[] = [];
  #typing: Channel | null = null;
  #stopWatching = () => {};

  constructor(live: Live, deps: ChannelDeps) {
    this.#live = live;
    this.#deps = deps;
  }

  get isJoined(): boolean {
    return this.#channels.length > 0;
  }

  /** Joins the channels of the conversation's present epoch, and leaves those of the one before. */
  join(): void {
    this.leave();
    const { data, messages } = this.#deps;
    const topic = `${data.id}:${data.$conversation.get().epoch}`;
    this.#typing = this.#live.join(`${TYPING}:${topic}`, {
      onMessage: (event, payload) => this.#handleTyping(event, payload),
    });
    this.#channels = [this.#live.join(`conversation:${topic}`, messages), this.#typing];
    this.#stopWatching = this.#live.watch(data.others().map(({ id }) => id));
  }

  leave(): void {
    for (const channel of this.#channels) channel.leave();
    this.#channels = [];
    this.#typing = null;
    this.#stopWatching();
    this.#stopWatching = () => {};
  }

  /** Tells the others that the person is typing. */
  sendTyping(): void {
    this.#typing?.send(TYPING, { person_id: this.#deps.data.me });
  }

  #handleTyping(event: string, payload: unknown): void {
    // Sent by a browser, not by the database, so it may be anything.
    const { person_id } = (payload ?? {}) as { person_id?: unknown };
    const person = this.#deps.data.others().find(({ id }) => id === person_id);
    if (event === TYPING && person) this.#deps.onTyping(person.id);
  }
}
