import { useStore } from '@nanostores/react';
import { ArrowDown } from 'lucide-react';
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { Conversation, Reader } from '#data/conversations.ts';
import { authorName, titleOf } from '#domain/message.ts';
import { whenBack } from '#stores/when-back.ts';
import { Button } from '#ui/Button.tsx';
import { classNames } from '#ui/class-names.ts';
import { Failure } from '#ui/Failure.tsx';
import { type AskForMenu, useSharedMenu } from '#ui/shared-menu.tsx';
import { useFocusBack } from '#ui/use-focus-back.ts';
import type { ConversationStore } from '../conversation/conversation-store.ts';
import type { Edge, ShownMessage } from '../conversation/shown-messages.ts';
import type { ListReader } from '../list/ConversationRow.tsx';
import type { Action, ThreadContext } from './MessageActions.tsx';
import { MessageItem } from './MessageItem.tsx';
import { MarkRow, type Row, ThreadRows } from './ThreadRows.tsx';
import { threadRows } from './thread-rows.ts';
import { useFollowOwn, useJump, useNewBelow, useThreadScroll } from './use-thread-scroll.ts';
import { useVirtualRows } from './use-virtual-rows.ts';
import type { VirtualHandle } from './VirtualRows.tsx';

interface ThreadProps {
  store: ConversationStore;
  reader: ListReader;
  today: string;
  /** The sequence number in the URL; null for none. */
  at: number | null;
  onAct: (action: Action, message: ShownMessage) => void;
}

/** The messages of a conversation, in a list that starts scrolled to its end. */
export function Thread(props: ThreadProps) {
  const { store, reader, today, at } = props;
  const messages = useStore(store.$messages);
  const conversation = useStore(store.data.$conversation);
  const { title, last_seq } = conversation;
  const older = useStore(store.paging.$older);
  const newer = useStore(store.paging.$newer);
  const scroller = useRef<HTMLDivElement>(null);
  const handle = useRef<VirtualHandle>(null);
  const rows = useMemo(
    () => threadRows(messages, { timeZone: reader.timeZone, today, newFrom: store.firstUnread }),
    [messages, reader.timeZone, today, store],
  );
  const virtual = useVirtualRows(rows, scroller);
  const { atEnd, scrollToEnd, scrollToRow } = useThreadScroll(scroller, {
    rows,
    virtual: virtual !== null,
    onNearTop: () => void (older.name === 'more' && store.paging.loadOlder()),
    onNearEnd: () => void (newer.name === 'more' && store.paging.loadNewer()),
    onSeen: (seq) => store.readUpTo(seq),
  });
  const { highlighted, jumpTo } = useJump(store, { scroller, handle, rows, at, scrollToRow });
  const goToEnd = useCallback(async () => {
    if (store.paging.$newer.get().name !== 'end' && !(await store.paging.jumpToEnd())) return;
    if (handle.current) handle.current.toEnd();
    else scrollToEnd();
  }, [store, scrollToEnd]);
  useFollowOwn(messages, goToEnd);
  useFocusBack(scroller, messages.filter(({ delivery }) => delivery.name === 'failed').length);
  useEffect(() => whenBack(store.paging.retry), [store]);
  const newBelow = useNewBelow(messages, last_seq, atEnd && newer.name === 'end');
  const { menuOf, ask } = useSharedMenu();
  const { reachable, reach } = useReachable(messages);
  const parts = { conversation, highlighted, jumpTo, reach, ask };
  const context = useThreadContext(props, parts);
  const list = {
    rows,
    renderRow: (row: Row) =>
      row.kind === 'message' ? (
        <MessageItem
          row={row}
          thread={context}
          isReachable={row.key === reachable}
          menu={menuOf(row.key)}
        />
      ) : (
        <MarkRow row={row} />
      ),
    before: (
      <Start {...{ edge: older, conversation }} onRetry={() => void store.paging.loadOlder()} />
    ),
  };
  return (
    <div className="relative flex min-h-0 grow flex-col">
      <Scroller title={title} edges={[older, newer]} element={scroller} fromEnd={!virtual}>
        {virtual ? (
          <virtual.Rows {...list} {...virtual} scroller={scroller} handle={handle} />
        ) : (
          <ThreadRows {...list} />
        )}
      </Scroller>
      <EdgeFailure edge={newer} onRetry={() => void store.paging.loadNewer()} />
      {(newBelow > 0 || !atEnd || newer.name !== 'end') && (
        <EndButton newBelow={newBelow} onClick={() => void goToEnd()} />
      )}
      <SentAnnouncer messages={messages} />
      <ReceivedAnnouncer messages={messages} after={last_seq} people={context.people} />
    </div>
  );
}

/** The id of the message whose menu button is the tab stop: the one used last, or the newest. */
function useReachable(messages: readonly ShownMessage[]) {
  const [reached, reach] = useState<string | null>(null);
  const last = messages.findLast(({ seq, removed_at }) => seq !== null && removed_at === null)?.id;
  return { reachable: reached ?? last, reach };
}

interface ThreadParts {
  conversation: Pick<Conversation, 'kind'>;
  highlighted: number | null;
  jumpTo: (seq: number) => Promise<void>;
  reach: (id: string) => void;
  ask: AskForMenu;
}

/** What every message of the thread needs. */
function useThreadContext(
  { store, reader, onAct }: ThreadProps,
  { conversation: { kind }, highlighted, jumpTo, reach, ask }: ThreadParts,
): ThreadContext {
  const people = useStore(store.data.$people);
  const state = useStore(store.$state);
  const byId = useMemo(() => new Map(people.map((person) => [person.id, person])), [people]);
  const hasNames = people.length > 2 || kind !== 'direct';
  const isOpen = state.name === 'open';
  const { timeZone } = reader;
  return useMemo(
    () => ({
      people: byId,
      timeZone,
      highlighted,
      hasNames,
      isOpen,
      onReach: reach,
      onMenu: ask,
      onAct,
      onJump: (seq) => void jumpTo(seq),
      onRetry: (id) => store.writing.retry(id),
      onDiscard: (id) => store.writing.discard(id),
    }),
    [byId, timeZone, highlighted, hasNames, isOpen, onAct, jumpTo, reach, ask, store],
  );
}

interface ScrollerProps {
  title: string;
  edges: readonly Edge[];
  element: RefObject<HTMLDivElement | null>;
  /** Whether the list is laid out from its end. */
  fromEnd: boolean;
  children: ReactNode;
}

function Scroller({ title, edges, element, fromEnd, children }: ScrollerProps) {
  return (
    <section
      ref={element}
      aria-label={`Conversation: ${title}`}
      aria-busy={edges.some(({ name }) => name === 'loading')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      onKeyDown={moveAmongActions}
      className={classNames(
        'min-h-0 grow overflow-x-hidden overflow-y-auto overscroll-contain [overflow-anchor:none] focus-visible:-outline-offset-2 print:overflow-visible',
        fromEnd && 'flex flex-col-reverse',
      )}
    >
      {children}
    </section>
  );
}

/** The arrow keys move between the menu buttons of messages, which share one tab stop. */
function moveAmongActions(event: KeyboardEvent<HTMLElement>) {
  const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
  const from = event.target as HTMLElement;
  if (step === 0 || from.dataset.actions === undefined) return;
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-actions]')];
  const to = all[all.indexOf(from) + step];
  if (!to) return;
  event.preventDefault();
  to.focus();
}

function EndButton({ newBelow, onClick }: { newBelow: number; onClick: () => void }) {
  const isNew = newBelow > 0;
  return (
    <p className="pointer-events-none absolute inset-x-0 bottom-2 flex justify-center">
      <Button
        size="small"
        variant={isNew ? 'primary' : 'secondary'}
        className="pointer-events-auto float"
        onClick={onClick}
      >
        <ArrowDown className="size-4" aria-hidden="true" />
        {isNew ? `${newBelow} new ${newBelow === 1 ? 'message' : 'messages'}` : 'Jump to latest'}
      </Button>
    </p>
  );
}

/** Shown above the oldest message on the page. */
function Start(props: { edge: Edge; conversation: Conversation; onRetry: () => void }) {
  const { edge, conversation, onRetry } = props;
  if (edge.name === 'failed') return <EdgeFailure edge={edge} onRetry={onRetry} />;
  return (
    <p className="px-4 py-4 text-center text-xs text-muted wrap-anywhere">
      {edge.name === 'end'
        ? `The conversation starts here: ${titleOf(conversation)}.`
        : edge.name === 'loading'
          ? 'Loading older messages…'
          : ' '}
    </p>
  );
}

function EdgeFailure(props: { edge: Edge; onRetry: () => void }) {
  const { edge, onRetry } = props;
  return (
    <Failure
      failure={edge.name === 'failed' ? edge.error : null}
      onRetry={onRetry}
      live="polite"
      className="m-4"
      title="We couldn’t load these messages"
    />
  );
}

/** How many lines stay in the log; screen readers announce each one when it's added. */
const LINES = 5;

function deliveryText({ delivery }: ShownMessage): string {
  if (delivery.name === 'queued') return 'Not sent yet.';
  if (delivery.name === 'failed') return `Not sent. ${delivery.why}`;
  return delivery.name === 'sent' || delivery.name === 'read' ? 'Sent.' : '';
}

/** Announces once whether the reader's message was sent. */
function SentAnnouncer({ messages }: { messages: readonly ShownMessage[] }) {
  const deliveries = useRef<ReadonlyMap<string, string> | null>(null);
  const [text, setText] = useState('');
  useEffect(() => {
    const own = messages.filter(({ mine, removed_at }) => mine && removed_at === null);
    const before = deliveries.current;
    deliveries.current = new Map(own.map(({ id, delivery }) => [id, delivery.name]));
    const changed = own.findLast(({ id, seq, delivery }) => {
      const was = before?.get(id);
      // A stored message that wasn't here before was loaded with another page.
      if (was === undefined) return seq === null;
      return was !== delivery.name && !(was === 'sent' && delivery.name === 'read');
    });
    if (before && changed) setText(deliveryText(changed));
  }, [messages]);
  return (
    <p role="status" className="sr-only">
      {text}
    </p>
  );
}

interface ReceivedProps {
  messages: readonly ShownMessage[];
  /** The newest message when the page loaded; only later ones are announced. */
  after: number;
  people: ReadonlyMap<string, Reader>;
}

/** Announces other people's messages as they arrive. */
function ReceivedAnnouncer({ messages, after, people }: ReceivedProps) {
  const announced = useRef(after);
  const [lines, setLines] = useState<readonly { id: string; text: string }[]>([]);
  const latestPeople = useRef(people);
  latestPeople.current = people;
  useEffect(() => {
    const arrived = messages.filter(({ seq }) => seq !== null && seq > announced.current);
    if (arrived.length === 0) return;
    announced.current = Math.max(...arrived.map(({ seq }) => seq ?? 0));
    const added = arrived
      .filter(({ mine, removed_at }) => !mine && removed_at === null)
      .map(({ id, author_id, body }) => ({
        id,
        text: `${authorName(author_id, latestPeople.current)}: ${body || 'A file'}`,
      }));
    if (added.length > 0) setLines((before) => [...before, ...added].slice(-LINES));
  }, [messages]);
  return (
    <div role="log" aria-label="New messages" className="sr-only">
      {lines.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  );
}
