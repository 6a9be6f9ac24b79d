import { useStore } from '@nanostores/react';
import { useState } from 'react';
import type { Conversation, Reader } from '#data/conversations.ts';
import { displayName, namesText, titleOf } from '#domain/message.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { reportError } from '#stores/session.ts';
import { Confirm, type Question } from '#ui/Confirm.tsx';
import { IconButton } from '#ui/IconButton.tsx';
import { Menu } from '#ui/Menu.tsx';
import { enabledWhenReady } from '#ui/until-ready.ts';
import { useOpenedPart } from '#ui/use-part.ts';
import type { ConversationStore } from '../conversation/conversation-store.ts';
import { BACK, DOTS_DOWN, MUTED } from '../icons.tsx';
import { renderPicture } from '../list/ConversationRow.tsx';
import { loadThreadDialogs } from './load-dialogs.ts';

interface HeadProps {
  store: ConversationStore;
  me: string;
}

/** Who the conversation is with, whether they're present, and its menu. */
export function ThreadHead({ store, me }: HeadProps) {
  const conversation = useStore(store.data.$conversation);
  const people = useStore(store.data.$people);
  const present = useStore(store.$present);
  const others = people.filter(
    ({ id, left }) => id !== me && (!left || conversation.kind === 'direct'),
  );
  const here = others.filter(({ id }) => present.has(id));
  return (
    <header className="flex items-center gap-2 border-b border-line bg-surface py-2 pr-2 pl-1 lg:bg-paper lg:pl-4">
      <IconButton
        label="All messages"
        href={hrefFor('/dashboard/messages')}
        className="grid size-11 shrink-0 place-items-center rounded-control hover:bg-raised lg:hidden print:hidden"
      >
        {BACK}
      </IconButton>
      {renderPicture(conversation, here.length > 0, 40)}
      <div className="min-w-0 grow">
        <h1 className="flex items-center gap-2 text-base! leading-snug">
          <span className="min-w-0 truncate">{titleOf(conversation)}</span>
          {conversation.muted && (
            <>
              {MUTED}
              <span className="sr-only">Muted</span>
            </>
          )}
        </h1>
        <p className="truncate text-xs text-muted">{presenceText(conversation, others, here)}</p>
      </div>
      <ConversationMenu store={store} me={me} conversation={conversation} people={people} />
    </header>
  );
}

interface Named {
  name: string;
}

/** Says who's present, or if nobody is, who's in the conversation. */
function presenceText(
  { kind, title }: { kind: string; title: string },
  others: readonly Named[],
  here: readonly Named[],
): string {
  if (kind === 'direct') return here.length > 0 ? 'Active now' : 'Direct messages';
  const all = namesText(others.map(({ name }) => displayName(name)));
  // For an admin, the title of a support conversation is the other person's name.
  const names = kind === 'support' && all === title ? 'Support' : all;
  if (here.length === 0) return names || 'Nobody else is in this conversation';
  return others.length === 1 ? `${names} · active now` : `${names} · ${here.length} active now`;
}

interface MenuProps extends HeadProps {
  conversation: Conversation;
  people: readonly Reader[];
}

function ConversationMenu({ store, me, conversation, people }: MenuProps) {
  const blocked = useStore(store.data.$blocked);
  const [question, setQuestion] = useState<Question | null>(null);
  const [showsPeople, setShowsPeople] = useState(false);
  const dialogs = useOpenedPart(loadThreadDialogs, showsPeople, () => setShowsPeople(false));
  const { muted } = conversation;
  const other = conversation.kind === 'direct' ? people.find(({ id }) => id !== me) : undefined;
  const name = displayName(other?.name);
  const button = (
    <IconButton
      label="About this conversation"
      {...enabledWhenReady()}
      className="grid size-11 shrink-0 place-items-center rounded-control text-muted hover:bg-raised hover:text-ink print:hidden"
    >
      {DOTS_DOWN}
    </IconButton>
  );
  const unblock = { label: `Unblock ${name}`, onSelect: () => void store.block(false) };
  const ask: Question = {
    title: `Block ${name}?`,
    text: 'You won’t be able to write to each other in this conversation. We won’t tell them why. You can unblock them here.',
    yes: 'Block',
    no: 'Don’t block',
    danger: true,
    act: async () => void store.block(true),
  };
  const block = { label: `Block ${name}…`, danger: true, onSelect: () => setQuestion(ask) };
  return (
    <>
      <Menu
        trigger={button}
        label="About this conversation"
        groups={[
          [
            {
              key: 'people',
              label: 'People in this conversation',
              onSelect: () => setShowsPeople(true),
            },
            ...subjectLink(conversation),
            {
              key: 'mute',
              label: muted ? 'Unmute' : 'Mute',
              onSelect: () => void store.mute(!muted),
            },
          ],
          ...(other ? [[{ key: 'block', ...(blocked ? unblock : block) }]] : []),
        ]}
      />
      <Confirm question={question} onClose={() => setQuestion(null)} onError={reportError} />
      {showsPeople && dialogs && (
        <dialogs.PeopleDialog store={store} me={me} onClose={() => setShowsPeople(false)} />
      )}
    </>
  );
}

function subjectLink({ subject }: Conversation) {
  if (subject?.kind === 'project') {
    const href = hrefFor('/dashboard/projects/[id]', { id: subject.id });
    return [{ key: 'subject', label: 'Open the project', href }];
  }
  if (subject?.kind === 'engagement') {
    return [{ key: 'subject', label: 'Go to coaching', href: hrefFor('/dashboard/coaching') }];
  }
  return [];
}
