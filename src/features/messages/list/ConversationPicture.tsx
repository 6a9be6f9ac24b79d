import { FolderKanban, LifeBuoy } from 'lucide-react';
import type { Conversation } from '#data/conversations.ts';
import { avatarSrc } from '#lib/files/image-request.ts';
import { Avatar } from '#ui/Avatar.tsx';
import { classNames } from '#ui/class-names.ts';

interface PictureProps {
  conversation: Pick<Conversation, 'kind' | 'title' | 'people' | 'subject'>;
  /** Whether one of its people is present. */
  present: boolean;
  size?: 40 | 48;
}

/** The picture of a conversation: a person, or an icon of its subject. Decorative. */
export function ConversationPicture({ conversation, present, size = 48 }: PictureProps) {
  const { kind, title, people, subject } = conversation;
  // To an admin a support conversation is one with a person.
  const person =
    subject?.kind === 'person' ? people.find(({ id }) => id === subject.id) : people[0];
  const icon =
    kind === 'project'
      ? FolderKanban
      : kind === 'support' && subject?.kind !== 'person'
        ? LifeBuoy
        : null;
  return (
    <span className="relative shrink-0" aria-hidden="true">
      {icon ? (
        <IconPicture icon={icon} size={size} />
      ) : (
        <Avatar name={person?.name ?? title} src={avatarSrc(person?.avatar_path)} size={size} />
      )}
      {present && (
        <span className="absolute right-0 bottom-0 size-3 rounded-full border-2 border-surface bg-leaf-light" />
      )}
    </span>
  );
}

/** A subject instead of a person. Decorative. */
export function IconPicture({ icon: Icon, size }: { icon: typeof LifeBuoy; size: 40 | 48 }) {
  return (
    <span
      aria-hidden="true"
      className={classNames(
        'grid shrink-0 place-items-center rounded-full bg-primary-soft text-primary',
        size === 48 ? 'size-12' : 'size-10',
      )}
    >
      <Icon className="size-5" strokeWidth={1.7} />
    </span>
  );
}
