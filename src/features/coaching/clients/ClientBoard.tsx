import { useStore } from '@nanostores/react';
import type { ReactNode } from 'react';
import type { ClientCounts, ClientRow } from '#data/coaching-clients.ts';
import { CLIENT_STATES } from '#domain/client-list.ts';
import { avatarSrc } from '#lib/files/image-request.ts';
import { sessionText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { Avatar } from '#ui/Avatar.tsx';
import { BoardColumn, BoardGrid } from '#ui/Board.tsx';
import { classNames } from '#ui/class-names.ts';
import { Failure } from '#ui/Failure.tsx';
import { ClockMark } from '../coach/ClockMark.tsx';
import { STATE_LABELS } from '../coach/StateMark.tsx';
import { clockOf, dayOfReader, type Reader } from '../when.ts';
import { UnreadMark } from './client-columns.tsx';
import type { ClientListStore } from './client-list-store.ts';
import { clientsHref } from './clients-href.ts';

interface BoardProps {
  store: ClientListStore;
  counts: ClientCounts;
  reader: Reader;
  /** Shown instead of the board if there are no clients. */
  empty: ReactNode;
}

/** Clients by state, at most 12 of each, sorted by what's due. */
export function ClientBoard({ store, counts, reader, empty }: BoardProps) {
  const { rows } = useStore(store.$page, { ssr: 'initial' });
  const state = useStore(store.$state, { ssr: 'initial' });
  const { q, sort } = useStore(store.$filter, { ssr: 'initial' });
  const isLoading = state.name === 'loading';
  return (
    <div aria-busy={isLoading} className="flex flex-col gap-4">
      <p role="status" className="sr-only">
        {state.name === 'ready' && `${rows.length} ${rows.length === 1 ? 'client' : 'clients'}.`}
      </p>
      {state.name === 'failed' && (
        <Failure failure={state.error} onRetry={store.retry} title="We couldn’t load the list" />
      )}
      <div className={classNames('transition-opacity', isLoading && 'opacity-60')}>
        {rows.length === 0 ? (
          empty
        ) : (
          <BoardGrid>
            {CLIENT_STATES.map((each) => {
              const own = rows.filter((row) => row.state === each);
              // While searching, only the matches are counted.
              const count = q === '' ? Math.max(counts[each], own.length) : own.length;
              return (
                <BoardColumn
                  key={each}
                  id={each}
                  title={STATE_LABELS[each]}
                  count={count}
                  noun={[' client', ' clients']}
                  isEmpty={own.length === 0}
                  more={
                    own.length > 0 &&
                    (count > own.length || (q !== '' && own.length >= 12)) && (
                      <a
                        className="link mt-2 inline-flex min-h-9 items-center px-2 text-sm pointer-coarse:min-h-11"
                        href={clientsHref({ view: 'table', state: each, q, sort })}
                      >
                        {q === '' ? `Show all ${count}` : 'Show all'}
                        <span className="sr-only"> in “{STATE_LABELS[each]}”</span>
                      </a>
                    )
                  }
                >
                  {own.map((row) => (
                    <li key={row.id}>
                      <ClientCard row={row} reader={reader} />
                    </li>
                  ))}
                </BoardColumn>
              );
            })}
          </BoardGrid>
        )}
      </div>
    </div>
  );
}

function ClientCard({ row, reader }: { row: ClientRow; reader: Reader }) {
  const { id, business, owner, next_session_at, open_actions, unread, due_what } = row;
  const isNextShown = next_session_at && due_what !== 'session';
  return (
    <article className="rounded-control border border-line bg-surface p-3 text-sm wrap-anywhere">
      <div className="flex items-start gap-2.5">
        <Avatar
          id={owner.user_id}
          name={owner.full_name}
          src={avatarSrc(owner.avatar_path)}
          size={24}
          className="mt-0.5"
        />
        <div className="min-w-0 grow">
          <h3 className="font-text text-sm font-semibold">
            <a
              className="hover:text-primary hover:underline"
              href={hrefFor('/dashboard/coaching/[id]', { id })}
            >
              {business.name}
            </a>
            <UnreadMark unread={unread} />
          </h3>
          <p className="text-xs text-muted">{owner.full_name || 'No name yet'}</p>
        </div>
      </div>
      <ClockMark clock={clockOf(row, reader)} isStacked className="mt-2 block text-xs" />
      {(isNextShown || open_actions > 0) && (
        <p className="mt-2 flex flex-wrap gap-x-3 text-xs text-muted">
          {isNextShown && (
            <span>
              Session {sessionText(next_session_at, reader.timeZone, dayOfReader(reader))}
            </span>
          )}
          {open_actions > 0 && (
            <span className="figures">
              {open_actions} open {open_actions === 1 ? 'action' : 'actions'}
            </span>
          )}
        </p>
      )}
    </article>
  );
}
