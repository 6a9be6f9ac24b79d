import { Clock, TriangleAlert } from 'lucide-react';
import { type MouseEvent, memo } from 'react';
import type { Reader } from '#data/conversations.ts';
import { displayName, FORMER_ACCOUNT, quoteWords } from '#domain/message.ts';
import { avatarSrc } from '#lib/files/image-request.ts';
import { timeText } from '#lib/locale/dates.ts';
import { Avatar } from '#ui/Avatar.tsx';
import { classNames } from '#ui/class-names.ts';
import { LineIcon } from '#ui/LineIcon.tsx';
import { Still } from '#ui/Still.tsx';
import type { ItemMenu } from '#ui/shared-menu.tsx';
import type { ShownMessage } from '../conversation/shown-messages.ts';
import { REPLY } from '../icons.tsx';
import { renderActions, type ThreadContext } from './MessageActions.tsx';
import { MessageFiles } from './MessageFiles.tsx';
import type { Row } from './ThreadRows.tsx';
import { type TextPart, textParts } from './text-parts.ts';

type MessageRow = Extract<Row, { kind: 'message' }>;

interface ItemProps {
  row: MessageRow;
  thread: ThreadContext;
  /** Whether the button of its menu is the tab stop. */
  isReachable: boolean;
  /** Its menu, if it's open. */
  menu: ItemMenu | null;
}

/**
 * One message: its author, text, files and time, and its delivery if it's the reader's own. It's
 * memoized because the thread renders again whenever it's scrolled to its end, or away from it. Its
 * parts without state are functions and not components, because there are many messages to hydrate,
 * and what nobody can press isn't hydrated.
 */
export const MessageItem = memo(function MessageItem(props: ItemProps) {
  const { row, thread, isReachable, menu } = props;
  const { message, first, last } = row;
  const { mine, author_id, sent_at, seq } = message;
  const author = author_id === null ? undefined : thread.people.get(author_id);
  const name = author ? displayName(author.name) : FORMER_ACCOUNT;
  const time = timeText(sent_at, thread.timeZone);
  const isHighlighted = seq !== null && seq === thread.highlighted;
  const isGroup = thread.people.size > 2;
  return (
    <div
      className={classNames(
        'group/item flex items-end gap-2 px-4 print:break-inside-avoid',
        first ? 'pt-3' : 'pt-0.5',
        mine && 'flex-row-reverse',
      )}
    >
      <Still
        of={[message, first, last, author, time, thread.hasNames, isHighlighted, isGroup]}
        isStill={!needsReact(message)}
        className="contents"
      >
        {() => (
          <>
            {!mine && (
              <span className="w-8 shrink-0 self-end">
                {last && (
                  <Avatar
                    id={author_id}
                    name={author?.name ?? ''}
                    src={avatarSrc(author?.avatar_path)}
                    size={32}
                  />
                )}
              </span>
            )}
            <div
              className={classNames(
                'flex max-w-[min(85%,36rem)] min-w-0 flex-col',
                mine ? 'items-end' : 'items-start',
              )}
            >
              {first && thread.hasNames && !mine ? (
                <p className="mb-0.5 px-1 text-xs text-muted">
                  <span className="font-semibold">{name}</span>
                  <span className="sr-only">{`, ${time}:`}</span>
                </p>
              ) : (
                <p className="sr-only">{`${mine ? 'You' : name}, ${time}:`}</p>
              )}
              {renderBubble(row, thread, isHighlighted)}
              {renderFooter(row, thread, time)}
            </div>
          </>
        )}
      </Still>
      {renderActions({
        message,
        which: `${mine ? 'your' : `${name}’s`} message, ${time}`,
        thread,
        isReachable,
        menu,
      })}
    </div>
  );
});

/** Whether something in a message can be pressed besides links to other sites. */
const needsReact = ({ reply_to, files, delivery }: ShownMessage) =>
  reply_to !== null || files.length > 0 || delivery.name === 'failed';

const isRemoved = ({ removed_at, changing }: ShownMessage) =>
  removed_at !== null || changing === 'remove';

function renderBubble(
  { message, first, last }: MessageRow,
  thread: ThreadContext,
  isHighlighted: boolean,
) {
  const { mine, body, files, reply_to, changing } = message;
  return (
    <div
      className={classNames(
        'min-w-0 max-w-full rounded-card px-3.5 py-2 text-sm transition-shadow',
        mine ? 'bg-primary-soft' : 'border border-line bg-surface',
        !last && (mine ? 'rounded-br-small' : 'rounded-bl-small'),
        !first && (mine ? 'rounded-tr-small' : 'rounded-tl-small'),
        isHighlighted && 'ring-2 ring-focus',
        changing && 'opacity-60',
      )}
    >
      {isRemoved(message) ? (
        <p className="text-muted italic">
          {mine ? 'You deleted this message.' : 'This message was deleted.'}
        </p>
      ) : (
        <>
          {reply_to && <Quoted quote={reply_to} people={thread.people} onJump={thread.onJump} />}
          {body && renderText(body)}
          {files.length > 0 && <MessageFiles files={files} after={Boolean(body)} />}
        </>
      )}
    </div>
  );
}

/** The time of a message and its delivery; not between messages that were sent together. */
function renderFooter({ message, last }: MessageRow, thread: ThreadContext, time: string) {
  const { mine, sent_at, edited_at } = message;
  if (!last && !edited_at && isDelivered(message)) return null;
  return (
    <p
      className={classNames(
        'flex flex-wrap items-center gap-x-1.5 px-1 text-xs text-muted figures',
        mine && 'justify-end',
      )}
    >
      <time dateTime={sent_at}>{time}</time>
      {edited_at && !isRemoved(message) && <span>· edited</span>}
      {mine && renderDelivery(message, thread)}
    </p>
  );
}

const isDelivered = ({ delivery }: ShownMessage) =>
  delivery.name === 'received' || delivery.name === 'sent' || delivery.name === 'read';

/** One check mark and two. */
const SENT = LineIcon({ d: 'M20 6 9 17l-5-5', box: 24, width: 2, className: 'size-3.5' });
const READ = LineIcon({
  d: 'M18 6 7 17l-5-5M22 10l-7.5 7.5L13 16',
  box: 24,
  width: 2,
  className: 'size-3.5 text-primary',
});

/** The delivery status of the reader's own message. */
function renderDelivery({ delivery, id }: ShownMessage, thread: ThreadContext) {
  const isGroup = thread.people.size > 2;
  switch (delivery.name) {
    case 'queued':
      return (
        <>
          · <Clock className="size-3.5" aria-hidden="true" />
          <span>Not sent yet</span>
        </>
      );
    case 'sending':
      return <span>· Sending…</span>;
    case 'sent':
      return (
        <>
          {SENT}
          <span className="sr-only">Sent</span>
        </>
      );
    case 'read':
      return (
        <>
          {READ}
          <span className={isGroup ? '' : 'sr-only'}>
            {isGroup ? `Read by ${delivery.by}` : 'Read'}
          </span>
        </>
      );
    case 'failed':
      return (
        <span className="flex basis-full flex-wrap items-center justify-end gap-x-3">
          <span className="text-right font-medium text-danger">
            <TriangleAlert className="mr-1 inline size-3.5 align-[-0.15em]" aria-hidden="true" />
            Not sent. {delivery.why}
          </span>
          <button type="button" className={linkLook} onClick={() => thread.onRetry(id)}>
            Try again
          </button>
          <button type="button" className={linkLook} onClick={() => thread.onDiscard(id)}>
            Discard
          </button>
        </span>
      );
    default:
      return null;
  }
}

const linkLook = 'link min-h-6 pointer-coarse:min-h-11';

function Quoted({
  quote,
  people,
  onJump,
}: {
  quote: NonNullable<ShownMessage['reply_to']>;
  people: ReadonlyMap<string, Reader>;
  onJump: (seq: number) => void;
}) {
  const { name, text } = quoteWords(quote, people);
  const jump = (event: MouseEvent) => {
    event.preventDefault();
    onJump(quote.seq);
  };
  return (
    <a
      href={`?at=${quote.seq}`}
      onClick={jump}
      className="mb-1.5 flex flex-col rounded-small border-l-2 border-primary bg-paper px-2.5 py-1.5 text-xs no-underline hover:bg-raised"
    >
      <span className="flex items-center gap-1 font-semibold">
        {REPLY}
        <span className="sr-only">In reply to </span>
        {name}
      </span>
      {text && <span className="line-clamp-2 text-muted wrap-anywhere">{text}</span>}
    </a>
  );
}

/** Text as it was typed, with URLs as links. */
function renderText(text: string) {
  const parts = textParts(text);
  return (
    <p className="whitespace-pre-wrap wrap-anywhere">
      {parts.every(({ href }) => href === null) ? text : parts.map(renderPart)}
    </p>
  );
}

const renderPart = ({ text, href }: TextPart, index: number) =>
  href === null ? (
    text
  ) : (
    <a
      key={index} // parts of a text have no other name
      href={href}
      className="link"
      target="_blank"
      rel="noopener noreferrer nofollow ugc"
    >
      {text}
    </a>
  );
