import { FolderKanban, Handshake, LifeBuoy, SquarePen } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Correspondent } from '#data/correspondents.ts';
import { listCorrespondents } from '#data/correspondents.ts';
import { db } from '#lib/db.ts';
import { avatarSrc } from '#lib/files/image-request.ts';
import { hrefFor } from '#lib/routing/routes.ts';
import { writeHref } from '#lib/routing/write-href.ts';
import { reportError } from '#stores/session.ts';
import { Avatar } from '#ui/Avatar.tsx';
import { Button } from '#ui/Button.tsx';
import { Dialog } from '#ui/Dialog.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { Skeleton } from '#ui/Skeleton.tsx';
import { useAnswer } from '#ui/use-answer.ts';
import { useReady } from '#ui/use-ready.ts';
import { IconPicture } from './ConversationRow.tsx';

/** Milliseconds to wait after the last keystroke before searching. */
const PAUSE = 250;

export function NewConversationButton() {
  const ready = useReady();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button size="small" disabled={!ready} onClick={() => setOpen(true)}>
        <SquarePen className="size-4" aria-hidden="true" />
        New message
      </Button>
      {open && <NewConversation onClose={() => setOpen(false)} />}
    </>
  );
}

/** Lets the user pick a person, coaching, a project or support to message. */
function NewConversation({ onClose }: { onClose: () => void }) {
  const [query, setQuery] = useState('');
  const [wanted, setWanted] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setWanted(query), PAUSE);
    return () => clearTimeout(timer);
  }, [query]);
  const listPeople = async () => listCorrespondents(await db(), wanted);
  const { answer: people, failure, retry } = useAnswer(listPeople, reportError, [wanted]);
  const isLoading = people === null && !failure;
  return (
    <Dialog open onOpenChange={onClose} title="New message" className="h-[80dvh] sm:h-[34rem]">
      <Field
        label="Search"
        type="search"
        maxLength={100}
        autoComplete="off"
        value={query}
        onChange={({ target }: { target: HTMLInputElement }) => setQuery(target.value)}
      />
      <div aria-busy={isLoading}>
        <p role="status" className="sr-only">
          {people && !failure && `${people.length} found.`}
        </p>
        {isLoading && <LoadingRows />}
        <Failure failure={failure} onRetry={retry} />
        {people && !failure && <Correspondents people={people} />}
        {people?.length === 0 && !failure && (
          <p className="py-4 text-sm text-muted wrap-anywhere">
            {query.trim() === ''
              ? 'There’s nobody you can message yet.'
              : `You can’t message anyone named “${query.trim()}”.`}
          </p>
        )}
      </div>
    </Dialog>
  );
}

const LoadingRows = () => (
  <div className="flex flex-col gap-0.5">
    {[0, 1, 2].map((row) => (
      <div key={row} className="flex min-h-14 items-center gap-3">
        <Skeleton className="size-10 shrink-0 rounded-full!" />
        <Skeleton className="w-40" />
      </div>
    ))}
  </div>
);

const SIGNS = { engagement: Handshake, project: FolderKanban, support: LifeBuoy } as const;

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
    return <Avatar name={person.name} src={avatarSrc(person.avatar_path)} size={40} />;
  }
  return <IconPicture icon={SIGNS[person.kind]} size={40} />;
}
