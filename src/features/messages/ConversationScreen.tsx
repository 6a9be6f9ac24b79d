import { useStore } from '@nanostores/react';
import { type DragEvent, useEffect, useRef, useState } from 'react';
import type { ConversationPage, ConversationView } from '#data/conversations.ts';
import { typingText } from '#domain/message.ts';
import { hrefFor } from '#lib/routes.ts';
import { Button } from '#ui/Button.tsx';
import { classNames } from '#ui/class-names.ts';
import { screen } from '#ui/ScreenBoundary.tsx';
import { useFocusBack } from '#ui/use-focus-back.ts';
import { Composer, type ComposerHandle } from './composer/Composer.tsx';
import { useVisibleHeight } from './composer/visible-height.ts';
import { ConversationList } from './list/ConversationList.tsx';
import type { ListReader } from './list/ConversationRow.tsx';
import { NewButton } from './list/NewButton.tsx';
import { createPageList } from './list/page-list.ts';
import type { ShownMessage } from './thread/conversation.ts';
import type { Action } from './thread/MessageActions.tsx';
import { createPageThread, type PageThread } from './thread/page-thread.ts';
import { Thread } from './thread/Thread.tsx';
import { DeleteDialog, ReportDialog } from './thread/ThreadDialogs.tsx';
import { ThreadHead } from './thread/ThreadHead.tsx';
import { useToday } from './thread/use-today.ts';
import { fetchMenuSoon } from './use-menu.ts';

interface ConversationProps {
  view: ConversationView;
  /** The list that stands beside it on a desk. */
  page: ConversationPage;
  /** The place that the address names (`?at=`). */
  at: number | null;
  reader: ListReader;
  today: string;
}

/** One conversation; on a desk the others stand beside it. */
function ConversationScreen(props: ConversationProps) {
  const { view, page, at, reader } = props;
  const [thread] = useState(() => createPageThread(reader.userId, view));
  const [list] = useState(() => createPageList(reader.userId, { page, words: '', found: null }));
  const today = useToday(props.today, reader.timeZone);
  useVisibleHeight();
  return (
    <div className="flex min-h-0 grow lg:grid lg:grid-cols-[23rem_minmax(0,1fr)]">
      <nav
        aria-label="Conversations"
        className="hidden min-h-0 flex-col gap-4 overflow-y-auto border-r border-line px-4 py-6 lg:flex print:hidden"
      >
        <p className="flex items-center justify-between gap-3 px-2">
          <a href={hrefFor('/dashboard/messages')} className="font-display text-xl no-underline">
            Messages
          </a>
          <NewButton />
        </p>
        <ConversationList
          store={list}
          reader={reader}
          today={today}
          current={view.conversation.id}
          empty={null}
        />
      </nav>
      <OpenThread thread={thread} at={at} reader={reader} today={today} />
    </div>
  );
}

interface OpenProps {
  thread: PageThread;
  at: number | null;
  reader: ListReader;
  today: string;
}

function OpenThread({ thread: { store, attachments }, at, reader, today }: OpenProps) {
  const people = useStore(store.$people);
  const state = useStore(store.$state);
  const typing = useStore(store.$typing);
  const connection = useStore(store.$connection);
  const composer = useRef<ComposerHandle>(null);
  const [editing, setEditing] = useState<ShownMessage | null>(null);
  const [asked, setAsked] = useState<{ action: Action; message: ShownMessage } | null>(null);
  const [dragged, setDragged] = useState(false);
  useFocusBack(composer, state.name);
  useEffect(() => store.open(), [store]);
  useEffect(fetchMenuSoon, []);

  /** Replying and editing go on in the composer; the others ask first. */
  function act(action: Action, message: ShownMessage) {
    if (action === 'delete' || action === 'report') {
      setAsked({ action, message });
      return;
    }
    if (composer.current?.isFree()) {
      setEditing(action === 'edit' ? message : null);
      if (action === 'reply') store.reply(message);
    }
    composer.current?.focus();
  }

  const close = () => setAsked(null);
  const open = state.name === 'open';
  const drop = open
    ? {
        onDragOver: (event: DragEvent) => {
          if (!event.dataTransfer.types.includes('Files')) return;
          event.preventDefault();
          setDragged(true);
        },
        onDragLeave: () => setDragged(false),
        onDrop: (event: DragEvent) => {
          event.preventDefault();
          setDragged(false);
          composer.current?.addFiles([...event.dataTransfer.files]);
        },
      }
    : {};
  return (
    <div
      className={classNames(
        'relative flex min-h-0 min-w-0 grow flex-col bg-paper',
        dragged && 'outline-2 -outline-offset-4 outline-dashed outline-primary',
      )}
      {...drop}
    >
      <ThreadHead store={store} me={reader.userId} />
      <div role="status">
        {connection === 'away' && (
          <p className="bg-caution-soft px-4 py-1.5 text-center text-xs text-caution">
            No connection. What you write is kept and goes out when it is back.
          </p>
        )}
      </div>
      <Thread store={store} reader={reader} today={today} at={at} onAct={act} />
      <p className="h-6 shrink-0 truncate px-4 text-xs text-muted">
        {typingText(typing.map(({ name }) => name))}
      </p>
      {open ? (
        <Composer
          store={store}
          attachments={attachments}
          editing={editing}
          onEdit={setEditing}
          people={people}
          handle={composer}
        />
      ) : (
        <Closed state={state} store={store} />
      )}
      {asked?.action === 'delete' && (
        <DeleteDialog
          onDelete={() => void store.remove(asked.message.id)}
          onClose={close}
          onClosed={() => {
            composer.current?.focus();
            return composer.current !== null;
          }}
        />
      )}
      {asked?.action === 'report' && <ReportDialog message={asked.message} onClose={close} />}
    </div>
  );
}

/** Nobody writes here any more: why, and what can be done. */
function Closed({
  state,
  store,
}: {
  state: Exclude<ReturnType<PageThread['store']['$state']['get']>, { name: 'open' }>;
  store: PageThread['store'];
}) {
  const blocked = useStore(store.$blocked);
  return (
    <div
      role="status"
      className="flex flex-wrap items-center justify-between gap-3 border-t border-line bg-surface px-4 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] text-sm text-muted"
    >
      <p>{state.why}</p>
      {blocked ? (
        <Button size="small" variant="secondary" onClick={() => void store.block(false)}>
          Unblock
        </Button>
      ) : (
        state.name === 'gone' && (
          <Button size="small" variant="secondary" href={hrefFor('/dashboard/messages')}>
            All messages
          </Button>
        )
      )}
    </div>
  );
}

export default screen(ConversationScreen);
