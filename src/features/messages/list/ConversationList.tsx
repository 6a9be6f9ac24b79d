import { useStore } from '@nanostores/react';
import { type ReactNode, useEffect, useId, useState } from 'react';
import type { Conversation } from '#data/conversations.ts';
import type { FoundMessage } from '#data/messages.ts';
import { startWhenIdle } from '#lib/browser/when-idle.ts';
import type { AnswerState } from '#lib/latest-answer.ts';
import { whenText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { whenBack } from '#stores/when-back.ts';
import { Button } from '#ui/Button.tsx';
import { classNames } from '#ui/class-names.ts';
import { Failure } from '#ui/Failure.tsx';
import { inputLook } from '#ui/forms/inputs.ts';
import { ConversationRow, type ListReader } from './ConversationRow.tsx';
import type { ConversationListStore } from './list-store.ts';

interface ListProps {
  store: ConversationListStore;
  reader: ListReader;
  today: string;
  /** The id of the conversation that's open next to the list. */
  current?: string | undefined;
  /** Shown instead of the list while there are no conversations at all. */
  empty: ReactNode;
}

/** A person's conversations and a search box; matching messages are listed below. */
export function ConversationList({ store, reader, today, current, empty }: ListProps) {
  const list = useStore(store.$list);
  const state = useStore(store.$state);
  const query = useStore(store.$query);
  const found = useStore(store.$found);
  const isSearching = query !== '';
  const messages = isSearching ? (found?.messages ?? []) : [];
  useEffect(() => whenBack(() => void store.retry()), [store]);
  useEffect(() => startWhenIdle(() => store.open()), [store]);
  if (list.length === 0 && !isSearching && state.name === 'ready') return empty;
  return (
    <div className="flex flex-col gap-3" aria-busy={state.name === 'loading'}>
      <Search query={query} onSearch={(typed) => store.search(typed)} />
      <p role="status" className="sr-only">
        {isSearching && state.name === 'ready' && countWords(list.length, messages.length)}
      </p>
      {state.name === 'failed' && (
        <Failure
          failure={state.error}
          onRetry={() => void store.retry()}
          title="We couldn’t load your conversations"
        />
      )}
      <div className={classNames('transition-opacity', state.name === 'loading' && 'opacity-60')}>
        {isSearching && list.length > 0 && <Heading>Conversations</Heading>}
        <Conversations
          store={store}
          list={list}
          state={state}
          reader={reader}
          today={today}
          current={current}
        />
        {messages.length > 0 && (
          <>
            <Heading>Messages</Heading>
            <ul aria-label="Matching messages" className="-mx-3 flex flex-col gap-0.5 lg:mx-0">
              {messages.map((message) => (
                <Hit key={message.message_id} message={message} reader={reader} today={today} />
              ))}
            </ul>
            {found?.more && (
              <MoreButton
                pending={state.name === 'loading'}
                onClick={() => void store.loadMoreMessages()}
              >
                Show more messages
              </MoreButton>
            )}
          </>
        )}
        {isSearching && state.name === 'ready' && list.length === 0 && messages.length === 0 && (
          <p className="py-6 text-sm text-muted wrap-anywhere lg:px-3">
            Nothing found for “{query}” in names or messages.
          </p>
        )}
      </div>
    </div>
  );
}

interface RowsProps extends Omit<ListProps, 'empty'> {
  list: readonly Conversation[];
  state: AnswerState;
}

function Conversations({ store, list, state, reader, today, current }: RowsProps) {
  const hasMore = useStore(store.$hasMore);
  const present = useStore(store.$present);
  return (
    <>
      {list.length > 0 && (
        <ul aria-label="Conversations" className="-mx-3 flex flex-col gap-0.5 lg:mx-0">
          {list.map((conversation) => (
            <ConversationRow
              key={conversation.id}
              conversation={conversation}
              reader={reader}
              today={today}
              current={conversation.id === current}
              present={conversation.people.some(({ id }) => present.has(id))}
            />
          ))}
        </ul>
      )}
      {hasMore && (
        <MoreButton pending={state.name === 'loading'} onClick={() => void store.loadMore()}>
          Show older conversations
        </MoreButton>
      )}
    </>
  );
}

const MoreButton = (props: { pending: boolean; onClick: () => void; children: string }) => (
  <Button className="mt-3" size="small" variant="secondary" {...props} />
);

const Heading = ({ children }: { children: ReactNode }) => (
  <h2 className="mt-4 mb-1 px-0 font-text text-xs font-semibold text-muted lg:px-3">{children}</h2>
);

const countWords = (conversations: number, messages: number) =>
  `${conversations} ${conversations === 1 ? 'conversation' : 'conversations'}, ${messages} ${messages === 1 ? 'message' : 'messages'}.`;

/** A message that matches the search, linked to its place in the conversation. */
function Hit({
  message,
  reader,
  today,
}: {
  message: FoundMessage;
  reader: ListReader;
  today: string;
}) {
  const { conversation_id: id, seq, title, author_name, excerpt, sent_at } = message;
  return (
    <li>
      <a
        href={`${hrefFor('/dashboard/messages/conversations/[id]', { id })}?at=${seq}`}
        className="flex flex-col rounded-control px-3 py-2.5 no-underline hover:bg-raised"
      >
        <span className="flex items-baseline gap-2">
          <span className="min-w-0 grow truncate text-sm font-medium">{title}</span>
          <time dateTime={sent_at} className="shrink-0 text-xs text-muted figures">
            {whenText(sent_at, reader.timeZone, today)}
          </time>
        </span>
        <span className="line-clamp-2 text-xs text-muted wrap-anywhere">
          {author_name ? `${author_name}: ` : ''}
          {excerpt}
        </span>
      </a>
    </li>
  );
}

/** Searches while the user types; without JavaScript, submitting the form reloads the page. */
function Search({ query, onSearch }: { query: string; onSearch: (query: string) => void }) {
  const id = useId();
  const [typed, setTyped] = useState(query);
  return (
    <search aria-label="Messages">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSearch(typed);
        }}
      >
        <label htmlFor={id} className="sr-only">
          Search people and messages
        </label>
        <input
          id={id}
          type="search"
          name="q"
          maxLength={100}
          autoComplete="off"
          placeholder="Search people and messages"
          className={inputLook}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value);
            onSearch(target.value);
          }}
        />
      </form>
    </search>
  );
}
