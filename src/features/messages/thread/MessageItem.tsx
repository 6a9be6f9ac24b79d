import { Check, CheckCheck, Clock, CornerUpLeft, TriangleAlert } from 'lucide-react';
import type { MouseEvent, ReactNode } from 'react';
import type { Reader } from '#data/conversations.ts';
import { displayName, FORMER_ACCOUNT } from '#domain/message.ts';
import { timeText } from '#lib/dates.ts';
import { avatarSrc } from '#lib/files/image-request.ts';
import { Avatar } from '#ui/Avatar.tsx';
import { classNames } from '#ui/class-names.ts';
import type { ShownMessage } from './conversation.ts';
import { MessageFiles } from './MessageFiles.tsx';
import { textParts } from './text-parts.ts';

export interface ItemProps {
  message: ShownMessage;
  first: boolean;
  last: boolean;
  /** Everybody who takes part. */
  people: ReadonlyMap<string, Reader>;
  timeZone: string;
  /** Shown for a moment, because the reader was brought here. */
  marked: boolean;
  /** With more than two people everybody's name stands over what they wrote. */
  named: boolean;
  /** What can be done with it: the menu. */
  actions: ReactNode;
  onJump: (seq: number) => void;
  onRetry: (id: string) => void;
  onDiscard: (id: string) => void;
}

/** One message: who, what, when, and how far one's own has come. */
export function MessageItem(props: ItemProps) {
  const { message, first, last, people, timeZone, marked, named, actions } = props;
  const { mine, author_id, sent_at, edited_at, removed_at, changing } = message;
  const author = author_id === null ? undefined : people.get(author_id);
  const name = mine ? 'You' : author ? displayName(author.name) : FORMER_ACCOUNT;
  const gone = removed_at !== null || changing === 'remove';
  return (
    <div
      className={classNames(
        'group/item flex items-end gap-2 px-4 print:break-inside-avoid',
        first ? 'pt-3' : 'pt-0.5',
        mine && 'flex-row-reverse',
      )}
    >
      {!mine && (
        <span className="w-8 shrink-0 self-end">
          {last && (
            <Avatar name={author?.name ?? ''} src={avatarSrc(author?.avatar_path)} size={32} />
          )}
        </span>
      )}
      <div
        className={classNames(
          'flex max-w-[min(85%,36rem)] min-w-0 flex-col',
          mine ? 'items-end' : 'items-start',
        )}
      >
        <p
          className={classNames(
            'mb-0.5 px-1 text-xs text-muted',
            !(first && named && !mine) && 'sr-only',
          )}
        >
          <span className="font-semibold">{name}</span>
          <span className="sr-only">, {timeText(sent_at, timeZone)}:</span>
        </p>
        <div
          className={classNames(
            'min-w-0 max-w-full rounded-card px-3.5 py-2 text-sm transition-shadow',
            mine ? 'bg-primary-soft' : 'border border-line bg-surface',
            !last && (mine ? 'rounded-br-small' : 'rounded-bl-small'),
            !first && (mine ? 'rounded-tr-small' : 'rounded-tl-small'),
            marked && 'ring-2 ring-focus',
            changing && 'opacity-60',
          )}
        >
          {gone ? (
            <p className="text-muted italic">
              {mine ? 'You deleted this message.' : 'This message was deleted.'}
            </p>
          ) : (
            <>
              {message.reply_to && (
                <Quoted quote={message.reply_to} people={people} onJump={props.onJump} />
              )}
              {message.body && <Words text={message.body} />}
              {message.files.length > 0 && (
                <MessageFiles files={message.files} after={Boolean(message.body)} />
              )}
            </>
          )}
        </div>
        <p
          className={classNames(
            'flex flex-wrap items-center gap-x-1.5 px-1 text-xs text-muted figures',
            mine && 'justify-end',
            !last && !edited_at && settled(message) && 'hidden',
          )}
        >
          <time dateTime={sent_at}>{timeText(sent_at, timeZone)}</time>
          {edited_at && !gone && <span>· edited</span>}
          {mine && <State {...props} />}
        </p>
      </div>
      {actions}
    </div>
  );
}

/** Nothing about it needs to be said. */
const settled = ({ delivery }: ShownMessage) =>
  delivery.name === 'received' || delivery.name === 'sent' || delivery.name === 'read';

/** How far one's own message has come. */
function State({ message, people, onRetry, onDiscard }: ItemProps) {
  const { delivery, id } = message;
  switch (delivery.name) {
    case 'queued':
      return (
        <>
          · <Clock className="size-3.5" aria-hidden="true" />
          <span>Waits for the connection</span>
        </>
      );
    case 'sending':
      return <span>· Sending …</span>;
    case 'sent':
      return (
        <>
          <Check className="size-3.5" aria-hidden="true" />
          <span className="sr-only">Sent</span>
        </>
      );
    case 'read':
      return (
        <>
          <CheckCheck className="size-3.5 text-primary" aria-hidden="true" />
          <span className={people.size > 2 ? '' : 'sr-only'}>
            {people.size > 2 ? `Read by ${delivery.by}` : 'Read'}
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
          <button type="button" className={quiet} onClick={() => onRetry(id)}>
            Try again
          </button>
          <button type="button" className={quiet} onClick={() => onDiscard(id)}>
            Discard
          </button>
        </span>
      );
    default:
      return null;
  }
}

const quiet = 'link min-h-6 pointer-coarse:min-h-11';

/** What a message answers to, and the way there. */
function Quoted({
  quote,
  people,
  onJump,
}: {
  quote: NonNullable<ShownMessage['reply_to']>;
  people: ReadonlyMap<string, Reader>;
  onJump: (seq: number) => void;
}) {
  const author = quote.author_id === null ? undefined : people.get(quote.author_id);
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
        <CornerUpLeft className="size-3" aria-hidden="true" />
        <span className="sr-only">In answer to </span>
        {author ? displayName(author.name) : FORMER_ACCOUNT}
      </span>
      <span className="line-clamp-2 text-muted wrap-anywhere">
        {quote.removed ? 'This message was deleted.' : quote.excerpt || 'A file'}
      </span>
    </a>
  );
}

/** Words as they were typed; addresses in them are links. */
export function Words({ text }: { text: string }) {
  return (
    <p className="whitespace-pre-wrap wrap-anywhere">
      {textParts(text).map((part, index) =>
        part.href ? (
          <a
            // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no other name
            key={index}
            href={part.href}
            className="link"
            target="_blank"
            rel="noopener noreferrer nofollow ugc"
          >
            {part.text}
          </a>
        ) : (
          part.text
        ),
      )}
    </p>
  );
}
