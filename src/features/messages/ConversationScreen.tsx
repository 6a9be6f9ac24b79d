import { useStore } from '@nanostores/react';
import { useCallback, useRef, useState } from 'react';
import type { ConversationPage, ConversationView } from '#data/conversations.ts';
import type { SessionFacts } from '#data/session.ts';
import { typingText } from '#domain/message.ts';
import { isOn } from '#domain/toggle.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { reportError } from '#stores/session.ts';
import { Button } from '#ui/Button.tsx';
import { Confirm, type Question } from '#ui/Confirm.tsx';
import { classNames } from '#ui/class-names.ts';
import { screen } from '#ui/ScreenBoundary.tsx';
import { useFileDrop } from '#ui/use-file-drop.ts';
import { useFocusBack } from '#ui/use-focus-back.ts';
import { useOpenedPart } from '#ui/use-part.ts';
import { Composer } from './composer/Composer.tsx';
import type { ComposerHandle } from './composer/use-composer.ts';
import { createPageThread, type PageThread } from './conversation/page-thread.ts';
import type { ShownMessage } from './conversation/shown-messages.ts';
import { ConversationList } from './list/ConversationList.tsx';
import type { ListReader } from './list/ConversationRow.tsx';
import { ConversationListStore, listDeps } from './list/list-store.ts';
import { NewConversationButton } from './list/NewConversationButton.tsx';
import { useOpenStoreWhenIdle, useToday, useToggles, useVisibleHeight } from './page-hooks.ts';
import { loadThreadDialogs } from './thread/load-dialogs.ts';
import type { Action } from './thread/MessageActions.tsx';
import { Thread } from './thread/Thread.tsx';
import { ThreadHead } from './thread/ThreadHead.tsx';

interface ConversationProps {
  view: ConversationView;
  page: ConversationPage;
  /** The sequence number of the message to show, from the URL (`?at=`). */
  at: number | null;
  reader: ListReader;
  today: string;
  toggles: SessionFacts['toggles'];
}

/** One conversation; wide screens show the list of conversations next to it. */
function ConversationScreen(props: ConversationProps) {
  const { view, page, at, reader, toggles } = props;
  const [thread] = useState(() => createPageThread(reader.userId, view));
  const [list] = useState(
    () => new ConversationListStore(listDeps(reader.userId), { page, query: '', found: null }),
  );
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
          <NewConversationButton />
        </p>
        <ConversationList
          store={list}
          reader={reader}
          today={today}
          current={view.conversation.id}
          empty={null}
        />
      </nav>
      <OpenThread thread={thread} at={at} reader={reader} today={today} toggles={toggles} />
    </div>
  );
}

interface OpenProps {
  thread: PageThread;
  at: number | null;
  reader: ListReader;
  today: string;
  toggles: SessionFacts['toggles'];
}

function OpenThread({ thread, at, reader, today, toggles }: OpenProps) {
  const { store, attachments } = thread;
  const takesFiles = isOn(useToggles(toggles), 'message-files');
  const state = useStore(store.$state);
  const composer = useRef<ComposerHandle>(null);
  const [editing, setEditing] = useState<ShownMessage | null>(null);
  const [question, setQuestion] = useState<Question | null>(null);
  const [reported, setReported] = useState<ShownMessage | null>(null);
  const dialogs = useOpenedPart(loadThreadDialogs, reported !== null, () => setReported(null));
  const { isOver, drop } = useFileDrop((files) => composer.current?.addFiles(files));
  const isOpen = state.name === 'open';
  useFocusBack(composer, state.name);
  const part = useRef<HTMLDivElement>(null);
  const open = useOpenStoreWhenIdle(store, part);

  /** Replies and edits go to the composer; the other actions open a dialog. */
  const handleAction = useCallback(
    (action: Action, message: ShownMessage) => {
      if (action === 'report') return setReported(message);
      if (action === 'delete') return setQuestion(deleteQuestion(store, message));
      if (composer.current?.isFree()) {
        setEditing(action === 'edit' ? message : null);
        if (action === 'reply') store.reply(message);
      }
      composer.current?.focus();
    },
    [store],
  );

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: nothing is pressed but what's in it
    <div
      ref={part}
      onFocus={open}
      onPointerDown={open}
      className={classNames(
        'relative flex min-h-0 min-w-0 grow flex-col bg-paper',
        isOver && takesFiles && 'outline-2 -outline-offset-4 outline-dashed outline-primary',
      )}
      {...(isOpen && takesFiles && drop)}
    >
      <ThreadHead store={store} me={reader.userId} />
      <Connection store={store} />
      <Thread store={store} reader={reader} today={today} at={at} onAct={handleAction} />
      <Typing store={store} />
      {isOpen ? (
        <Composer
          store={store}
          attachments={attachments}
          takesFiles={takesFiles}
          editing={editing}
          onEdit={setEditing}
          handle={composer}
        />
      ) : (
        <Closed why={state.why} isGone={state.name === 'gone'} store={store} />
      )}
      <Confirm
        question={question}
        onClose={() => setQuestion(null)}
        onError={reportError}
        onCloseAutoFocus={(event) => {
          // The button that opened the dialog may be gone along with the message.
          if (composer.current) event.preventDefault();
          composer.current?.focus();
        }}
      />
      {reported && dialogs && (
        <dialogs.ReportDialog message={reported} onClose={() => setReported(null)} />
      )}
    </div>
  );
}

const deleteQuestion = ({ editing }: PageThread['store'], { id }: ShownMessage): Question => ({
  title: 'Delete this message?',
  text: 'The text and files are removed for everyone. A note stays to show a message was deleted.',
  yes: 'Delete',
  no: 'Keep it',
  danger: true,
  act: async () => void editing.remove(id),
});

function Typing({ store }: { store: PageThread['store'] }) {
  const typing = useStore(store.$typing);
  return (
    <p className="h-6 shrink-0 truncate px-4 text-xs text-muted">
      {typingText(typing.map(({ name }) => name))}
    </p>
  );
}

function Connection({ store }: { store: PageThread['store'] }) {
  const connection = useStore(store.$connection);
  return (
    <div role="status">
      {connection === 'away' && (
        <p className="bg-caution-soft px-4 py-1.5 text-center text-xs text-caution">
          You’re offline. Your messages are saved and will send when you reconnect.
        </p>
      )}
    </div>
  );
}

interface ClosedProps {
  why: string;
  isGone: boolean;
  store: PageThread['store'];
}

/** Explains why the reader can't write here, and offers what they can do instead. */
function Closed({ why, isGone, store }: ClosedProps) {
  const blocked = useStore(store.data.$blocked);
  return (
    <div
      role="status"
      className="flex flex-wrap items-center justify-between gap-3 border-t border-line bg-surface px-4 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] text-sm text-muted"
    >
      <p>{why}</p>
      {blocked ? (
        <Button size="small" variant="secondary" onClick={() => void store.block(false)}>
          Unblock
        </Button>
      ) : (
        isGone && (
          <Button size="small" variant="secondary" href={hrefFor('/dashboard/messages')}>
            All messages
          </Button>
        )
      )}
    </div>
  );
}

export default screen(ConversationScreen);
