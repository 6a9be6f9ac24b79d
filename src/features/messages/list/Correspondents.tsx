import { Handshake } from 'lucide-react';
import type { Correspondent } from '#data/correspondents.ts';
import { avatarSrc } from '#lib/files/image-request.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { writeHref } from '#lib/routing/write-href.ts';
import { Avatar } from '#ui/Avatar.tsx';
import { PROJECT, SUPPORT } from '../icons.tsx';
import { renderIcon } from './ConversationRow.tsx';

const SIGNS = {
  engagement: <Handshake className="size-5" strokeWidth={1.7} />,
  project: PROJECT,
  support: SUPPORT,
} as const;

/** The URL of the conversation, or of the page that starts one. */
const hrefOf = ({ kind, subject_id, conversation_id }: Correspondent) =>
  conversation_id
    ? hrefFor('/dashboard/messages/conversations/[id]', { id: conversation_id })
    : writeHref(kind, subject_id);

/** People the reader can message, each as a link. */
export function Correspondents({ people }: { people: readonly Correspondent[] }) {
  if (people.length === 0) return null;
  return (
    <ul aria-label="People you can message" className="-mx-3 flex flex-col gap-0.5">
      {people.map((person) => (
        <li key={`${person.kind}-${person.subject_id}`}>
          <a
            href={hrefOf(person)}
            className="flex min-h-14 items-center gap-3 rounded-control px-3 py-2 no-underline hover:bg-raised"
          >
            <Picture person={person} />
            <span className="flex min-w-0 flex-col">
              <span className="truncate text-sm font-medium">{person.name}</span>
              <span className="text-xs text-muted wrap-anywhere">{person.words}</span>
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}

function Picture({ person }: { person: Correspondent }) {
  if (person.kind === 'direct') {
    return (
      <Avatar
        id={person.subject_id}
        name={person.name}
        src={avatarSrc(person.avatar_path)}
        size={40}
      />
    );
  }
  return renderIcon(SIGNS[person.kind], 40);
}
