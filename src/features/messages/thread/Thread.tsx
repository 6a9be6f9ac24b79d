import { useStore } from '@nanostores/react';
import { ArrowDown } from 'lucide-react';
import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { displayName, FORMER_ACCOUNT } from '#domain/message.ts';
import { whenBack } from '#stores/when-back.ts';
import { Button } from '#ui/Button.tsx';
import { classNames } from '#ui/class-names.ts';
import { Failure } from '#ui/Failure.tsx';
import { useFocusBack } from '#ui/use-focus-back.ts';
import type { ListReader } from '../list/ConversationRow.tsx';
import type { ConversationStore, Edge, ShownMessage } from './conversation.ts';
import { type Action, MessageActions } from './MessageActions.tsx';
import { MessageItem } from './MessageItem.tsx';
import { Arrivals, Departures, MarkRow, type Row, ThreadRows } from './ThreadRows.tsx';
import { threadRows } from './thread-rows.ts';
import { fromTop, useThreadScroll } from './use-thread-scroll.ts';
import type { VirtualHandle, VirtualRows } from './VirtualRows.tsx';

interface ThreadProps {
  store: ConversationStore;
  reader: ListReader;
  today: string;
  /** The place that the address names; null where it names none. */
  at: number | null;
  onAct: (action: Action, message: ShownMessage) => void;
}

/** From so many rows on only those in view are on the page. */
const MANY = 500;
/** From so many rows on what draws them is fetched. */
const SOON_MANY = 300;
/** Milliseconds for which a message to which the reader was brought is marked. */
const MARKED = 2_500;

interface Switched {
  Rows: typeof VirtualRows;
  heights: ReadonlyMap<string, number>;
  offset: number;
}

/** The messages of a conversation: a list that starts at its end. */
export function Thread({ store, reader, today, at, onAct }: ThreadProps) {
  const messages = useStore(store.$messages);
  const people = useStore(store.$people);
  const conversation = useStore(store.$conversation);
  const state = useStore(store.$state);
  const older = useStore(store.$older);
  const newer = useStore(store.$newer);
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useRef<VirtualHandle>(null);
  const [switched, setSwitched] = useState<Switched | null>(null);
  const [target, setTarget] = useState<{ seq: number } | null>(at === null ? null : { seq: at });
  const [marked, setMarked] = useState<number | null>(null);
  const [active, setActive] = useState<string | null>(null);
  const { timeZone } = reader;

  const rows = useMemo(
    () => threadRows(messages, { timeZone, today, newFrom: store.firstUnread }),
    [messages, timeZone, today, store],
  );
  const byId = useMemo(() => new Map(people.map((person) => [person.id, person])), [people]);

  const { atEnd, toEnd, bring } = useThreadScroll(scroller, {
    rows,
    virtual: switched !== null,
    onNearTop: () => {
      if (older.name === 'more') void store.loadOlder();
    },
    onNearEnd: () => {
      if (newer.name === 'more') void store.loadNewer();
    },
    onSeen: store.readUpTo,
  });

  useManyRows(rows, scroller, setSwitched);
  useFocusBack(scroller, messages.filter(({ delivery }) => delivery.name === 'failed').length);
  useRetryEdges(store);

  // Where the reader begins: at the place of the address, else where the new ones begin.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page is there
  useEffect(() => {
    const begins = at === null ? rowOf(scroller.current, 'new') : null;
    // Seen from the end already, all that is new is in view.
    const edge = scroller.current?.getBoundingClientRect().top ?? 0;
    if (begins && begins.getBoundingClientRect().top < edge) bring(begins);
  }, []);

  useEffect(() => {
    if (!target) return;
    const index = rows.findIndex((row) => row.kind === 'message' && row.message.seq === target.seq);
    const row = rows[index];
    if (!row) return;
    const arrive = () => {
      const element = rowOf(scroller.current, row.key);
      if (!element) return;
      if (!switched) bring(element);
      element.tabIndex = -1;
      element.focus({ preventScroll: true });
    };
    virtual.current?.show(index);
    setMarked(target.seq);
    setTarget(null);
    // A virtual list draws the row first.
    if (switched) requestAnimationFrame(arrive);
    else arrive();
  }, [target, rows, switched, bring]);

  useEffect(() => {
    if (marked === null) return;
    const timer = setTimeout(() => setMarked(null), MARKED);
    return () => clearTimeout(timer);
  }, [marked]);

  const jump = useCallback(
    async (seq: number) => {
      if (await store.jumpTo(seq)) setTarget({ seq });
    },
    [store],
  );
  const goToEnd = useCallback(async () => {
    if (store.$newer.get().name !== 'end' && !(await store.jumpToEnd())) return;
    if (virtual.current) virtual.current.toEnd();
    else toEnd();
  }, [store, toEnd]);

  // What one has written oneself is shown, wherever one was.
  const mine = messages.findLast((message) => message.mine && message.seq === null)?.id;
  const written = useRef(mine);
  useEffect(() => {
    if (mine !== undefined && mine !== written.current) void goToEnd();
    written.current = mine;
  }, [mine, goToEnd]);

  const waiting = useNewBelow(messages, conversation.last_seq, atEnd && newer.name === 'end');
  const authorOf = useCallback(
    ({ author_id }: ShownMessage) =>
      author_id === null ? FORMER_ACCOUNT : displayName(byId.get(author_id)?.name),
    [byId],
  );
  const last = messages.findLast(({ seq, removed_at }) => seq !== null && removed_at === null)?.id;
  const named = people.length > 2 || conversation.kind !== 'direct';
  const draw = (row: Row) =>
    row.kind !== 'message' ? (
      <MarkRow row={row} />
    ) : (
      <MessageItem
        message={row.message}
        first={row.first}
        last={row.last}
        people={byId}
        timeZone={timeZone}
        named={named}
        marked={marked !== null && row.message.seq === marked}
        onJump={(seq) => void jump(seq)}
        onRetry={store.retry}
        onDiscard={store.discard}
        actions={
          <MessageActions
            message={row.message}
            author={row.message.mine ? 'you' : authorOf(row.message)}
            timeZone={timeZone}
            open={state.name === 'open'}
            reachable={(active ?? last) === row.message.id}
            onReach={setActive}
            onAct={onAct}
          />
        }
      />
    );
  const before = (
    <Beginning
      edge={older}
      conversation={conversation.title}
      onRetry={() => void store.loadOlder()}
    />
  );
  return (
    <div className="relative flex min-h-0 grow flex-col">
      <section
        ref={scroller}
        aria-label={`Conversation: ${conversation.title}`}
        aria-busy={older.name === 'loading' || newer.name === 'loading'}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
        tabIndex={0}
        onKeyDown={moveAmongActions}
        className={classNames(
          'min-h-0 grow overflow-x-hidden overflow-y-auto overscroll-contain [overflow-anchor:none] focus-visible:-outline-offset-2 print:overflow-visible',
          !switched && 'flex flex-col-reverse',
        )}
      >
        {switched ? (
          <switched.Rows
            rows={rows}
            draw={draw}
            before={before}
            scroller={scroller}
            handle={virtual}
            heights={switched.heights}
            offset={switched.offset}
          />
        ) : (
          <div className="pb-3">
            <ThreadRows rows={rows} draw={draw} before={before} />
          </div>
        )}
      </section>
      {newer.name === 'failed' && (
        <EdgeFailure edge={newer} onRetry={() => void store.loadNewer()} />
      )}
      {(waiting > 0 || !atEnd || newer.name !== 'end') && (
        <p className="pointer-events-none absolute inset-x-0 bottom-2 flex justify-center">
          <Button
            size="small"
            variant={waiting > 0 ? 'primary' : 'secondary'}
            className="pointer-events-auto float"
            onClick={() => void goToEnd()}
          >
            <ArrowDown className="size-4" aria-hidden="true" />
            {waiting > 0
              ? `${waiting} new ${waiting === 1 ? 'message' : 'messages'}`
              : 'To the newest'}
          </Button>
        </p>
      )}
      <Departures messages={messages} />
      <Arrivals messages={messages} after={conversation.last_seq} nameOf={authorOf} />
    </div>
  );
}

const rowOf = (scroller: HTMLElement | null, key: string) =>
  scroller?.querySelector<HTMLElement>(`[data-row="${CSS.escape(key)}"]`) ?? null;

/** Arrows go from one message to the next: one stop for the tab key, however many there are. */
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

/** Takes over to a list that draws only what is in view, at the place where the reader is. */
function useManyRows(
  rows: readonly Row[],
  scroller: { current: HTMLDivElement | null },
  onSwitch: (switched: Switched) => void,
) {
  const begun = useRef(false);
  const [Rows, setRows] = useState<typeof VirtualRows | null>(null);
  const soon = rows.length >= SOON_MANY;
  const many = rows.length >= MANY;
  useEffect(() => {
    if (!soon) return;
    // Where it cannot be loaded the page goes on with all rows.
    import('./VirtualRows.tsx').then(
      (module) => setRows(() => module.VirtualRows),
      () => {},
    );
  }, [soon]);
  useEffect(() => {
    const element = scroller.current;
    if (!many || !Rows || !element || begun.current) return;
    begun.current = true;
    const heights = new Map(
      [...element.querySelectorAll<HTMLElement>('[data-row]')].map((row) => [
        row.dataset.row ?? '',
        row.getBoundingClientRect().height,
      ]),
    );
    onSwitch({ Rows, heights, offset: fromTop(element, false) });
  }, [many, Rows, scroller, onSwitch]);
}

/** How many messages of others came while the reader was not at the end; `last` is the newest there is. */
function useNewBelow(messages: readonly ShownMessage[], last: number, atEnd: boolean): number {
  const highest = messages.findLast(({ seq }) => seq !== null)?.seq ?? 0;
  // What was there when the page was opened is not new, though it is read in later.
  const [seen, setSeen] = useState(Math.max(highest, last));
  useEffect(() => {
    if (atEnd) setSeen(highest);
  }, [atEnd, highest]);
  if (atEnd) return 0;
  return messages.filter(({ seq, mine }) => !mine && seq !== null && seq > seen).length;
}

/** What could not be loaded for want of a connection or a session is loaded when that is back. */
function useRetryEdges(store: ConversationStore) {
  useEffect(
    () =>
      whenBack(() => {
        if (store.$older.get().name === 'failed') void store.loadOlder();
        if (store.$newer.get().name === 'failed') void store.loadNewer();
      }),
    [store],
  );
}

/** What stands over the oldest message that is here. */
function Beginning({
  edge,
  conversation,
  onRetry,
}: {
  edge: Edge;
  conversation: string;
  onRetry: () => void;
}) {
  if (edge.name === 'failed') return <EdgeFailure edge={edge} onRetry={onRetry} />;
  return (
    <p className="px-4 py-4 text-center text-xs text-muted wrap-anywhere">
      {edge.name === 'end'
        ? `This is where it begins: ${conversation}.`
        : edge.name === 'loading'
          ? 'Older messages are on their way …'
          : ' '}
    </p>
  );
}

function EdgeFailure({
  edge,
  onRetry,
}: {
  edge: Extract<Edge, { name: 'failed' }>;
  onRetry: () => void;
}) {
  return (
    <Failure
      failure={edge.error}
      onRetry={onRetry}
      live="polite"
      className="m-4"
      title="These messages could not be read"
    />
  );
}
