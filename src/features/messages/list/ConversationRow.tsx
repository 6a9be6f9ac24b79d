import { memo, type ReactNode } from 'react';
import type { Conversation } from '#data/conversations.ts';
import { lastMessageText, titleOf } from '#domain/message.ts';
import { countText } from '#lib/browser/unread-title.ts';
import { avatarSrc } from '#lib/files/image-request.ts';
import { whenText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { Avatar } from '#ui/Avatar.tsx';
import { classNames } from '#ui/class-names.ts';
import { Still } from '#ui/Still.tsx';
import { MUTED, PROJECT, SUPPORT } from '../icons.tsx';

export interface ListReader {
  userId: string;
  /** The reader's IANA time zone. */
  timeZone: string;
}

interface RowProps {
  conversation: Conversation;
  reader: ListReader;
  today: string;
  /** Whether it's open next to the list. */
  current: boolean;
  present: boolean;
}

/**
 * A row of the list. It's memoized because the list renders again whenever somebody comes or goes. Its
 * link is React's from the start, so that the focus stays on it when what it says changes.
 */
export const ConversationRow = memo(function ConversationRow(props: RowProps) {
  const { conversation, reader, today, current, present } = props;
  return (
    <li>
      <a
        href={hrefFor('/dashboard/messages/conversations/[id]', { id: conversation.id })}
        aria-current={current ? 'page' : undefined}
        className="block rounded-control no-underline hover:bg-raised aria-[current]:bg-primary-soft"
      >
        <Still
          as="span"
          of={[conversation, reader, today, current, present]}
          className="flex items-center gap-3 px-3 py-2.5"
        >
          {() => renderRow(props)}
        </Still>
      </a>
    </li>
  );
});

function renderRow({ conversation, reader, today, current, present }: RowProps) {
  const last = conversation.last_message;
  // The user is reading the open conversation right now.
  const unread = current ? 0 : conversation.unread;
  return (
    <>
      {renderPicture(conversation, present, 48)}
      <span className="flex min-w-0 grow flex-col">
        <span className="flex items-baseline gap-2">
          <span
            className={classNames(
              'min-w-0 grow truncate text-sm',
              unread > 0 ? 'font-semibold' : 'font-medium',
            )}
          >
            {titleOf(conversation)}
          </span>
          {present && <span className="sr-only">, active now</span>}
          {last && (
            <time dateTime={last.sent_at} className="shrink-0 text-xs text-muted figures">
              {whenText(last.sent_at, reader.timeZone, today)}
            </time>
          )}
        </span>
        {renderLastLine(conversation, reader, unread)}
      </span>
    </>
  );
}

/** The draft or the last message, and marks for ended, muted and unread. */
function renderLastLine(conversation: Conversation, reader: ListReader, unread: number) {
  const { open, draft, muted } = conversation;
  return (
    <span className="flex items-center gap-2 text-xs text-muted">
      <span className={classNames('min-w-0 grow truncate', unread > 0 && 'text-ink')}>
        {draft !== null && unread === 0 ? (
          <>
            <span className="font-medium text-caution">Draft:</span> {draft}
          </>
        ) : (
          lastMessageText(conversation, reader.userId)
        )}
      </span>
      {!open && <span className="shrink-0">Ended</span>}
      {muted && (
        <>
          {MUTED}
          <span className="sr-only">Muted</span>
        </>
      )}
      {unread > 0 && (
        <span
          className={classNames(
            'grid h-5 min-w-5 shrink-0 place-items-center rounded-full px-1.5 text-[0.75rem] leading-none font-semibold figures',
            muted ? 'bg-raised text-ink' : 'bg-primary text-primary-ink',
          )}
        >
          <span aria-hidden="true">{countText(unread)}</span>
          <span className="sr-only">{countText(unread)} unread</span>
        </span>
      )}
    </span>
  );
}

/**
 * Renders the picture of a conversation: a person's avatar, or an icon for its subject. Decorative.
 * @param present whether one of its people is present
 */
export function renderPicture(conversation: Conversation, present: boolean, size: 40 | 48) {
  const { kind, title, people, subject } = conversation;
  // Admins see a support conversation as one with a person.
  const person =
    subject?.kind === 'person' ? people.find(({ id }) => id === subject.id) : people[0];
  const icon =
    kind === 'project'
      ? PROJECT
      : kind === 'support' && subject?.kind !== 'person'
        ? SUPPORT
        : null;
  return (
    <span className="relative shrink-0" aria-hidden="true">
      {icon ? (
        renderIcon(icon, size)
      ) : (
        <Avatar
          id={person?.id}
          name={person?.name ?? title}
          src={avatarSrc(person?.avatar_path)}
          size={size}
        />
      )}
      {present && (
        <span className="absolute right-0 bottom-0 size-3 rounded-full border-2 border-surface bg-leaf-light" />
      )}
    </span>
  );
}

/** An icon instead of an avatar. Decorative. */
export function renderIcon(icon: ReactNode, size: 40 | 48) {
  return (
    <span
      aria-hidden="true"
      className={classNames(
        'grid shrink-0 place-items-center rounded-full bg-primary-soft text-primary',
        size === 48 ? 'size-12' : 'size-10',
      )}
    >
      {icon}
    </span>
  );
}
