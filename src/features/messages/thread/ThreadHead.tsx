import { useStore } from '@nanostores/react';
import { ArrowLeft, BellOff, EllipsisVertical } from 'lucide-react';
import { useState } from 'react';
import { displayName, namesText } from '#domain/message.ts';
import { hrefFor } from '#lib/routes.ts';
import { IconButton } from '#ui/IconButton.tsx';
import { useReady } from '#ui/use-ready.ts';
import { ConversationPicture } from '../list/ConversationPicture.tsx';
import { useMenu } from '../use-menu.ts';
import type { ConversationStore } from './conversation.ts';
import { BlockDialog, PeopleDialog } from './ThreadDialogs.tsx';

interface HeadProps {
  store: ConversationStore;
  me: string;
}

/** Whom one talks with, whether they are here, and what can be chosen about it. */
export function ThreadHead({ store, me }: HeadProps) {
  const conversation = useStore(store.$conversation);
  const people = useStore(store.$people);
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
        <ArrowLeft className="size-5" aria-hidden="true" />
      </IconButton>
      <ConversationPicture conversation={conversation} present={here.length > 0} size={40} />
      <div className="min-w-0 grow">
        <h1 className="flex items-center gap-2 text-base! leading-snug">
          <span className="min-w-0 truncate">{conversation.title}</span>
          {conversation.muted && (
            <>
              <BellOff className="size-3.5 shrink-0 text-muted" aria-hidden="true" />
              <span className="sr-only">Muted</span>
            </>
          )}
        </h1>
        <p className="truncate text-xs text-muted">{line(conversation, others, here)}</p>
      </div>
      <Choices store={store} me={me} />
    </header>
  );
}

interface Named {
  name: string;
}

/** Who is here now, else who takes part. */
function line(
  { kind, title }: { kind: string; title: string },
  others: readonly Named[],
  here: readonly Named[],
): string {
  if (kind === 'direct') return here.length > 0 ? 'Active now' : 'Direct messages';
  const all = namesText(others.map(({ name }) => displayName(name)));
  // To an admin a thread with support is called like the person whom it is about.
  const names = kind === 'support' && all === title ? 'Support' : all;
  if (here.length === 0) return names || 'Nobody else takes part';
  return others.length === 1 ? `${names} · active now` : `${names} · ${here.length} active now`;
}

function Choices({ store, me }: HeadProps) {
  const ready = useReady();
  const conversation = useStore(store.$conversation);
  const blocked = useStore(store.$blocked);
  const people = useStore(store.$people);
  const [Menu, fetchMenu] = useMenu();
  const [asked, setAsked] = useState<'block' | 'people' | null>(null);
  const other = people.find(({ id }) => id !== me);
  const { muted, kind, subject } = conversation;
  const button = (
    <IconButton
      label="About this conversation"
      disabled={!ready}
      aria-haspopup="menu"
      className="grid size-11 shrink-0 place-items-center rounded-control text-muted hover:bg-raised hover:text-ink print:hidden"
      {...(Menu
        ? {}
        : {
            onClick: fetchMenu,
          })}
    >
      <EllipsisVertical className="size-5" aria-hidden="true" />
    </IconButton>
  );
  const about =
    subject?.kind === 'project'
      ? [
          {
            key: 'subject',
            label: 'Open the project',
            href: hrefFor('/dashboard/projects/[id]', { id: subject.id }),
          },
        ]
      : subject?.kind === 'engagement'
        ? [{ key: 'subject', label: 'Open coaching', href: hrefFor('/dashboard/coaching') }]
        : [];
  return (
    <>
      {Menu ? (
        <Menu
          trigger={button}
          defaultOpen
          label="About this conversation"
          groups={[
            [
              { key: 'people', label: 'Who takes part', onSelect: () => setAsked('people') },
              ...about,
              {
                key: 'mute',
                label: muted ? 'Unmute' : 'Mute',
                onSelect: () => void store.mute(!muted),
              },
            ],
            ...(kind === 'direct' && other
              ? [
                  [
                    blocked
                      ? {
                          key: 'block',
                          label: `Let ${displayName(other.name)} write again`,
                          onSelect: () => void store.block(false),
                        }
                      : {
                          key: 'block',
                          label: `Block ${displayName(other.name)} …`,
                          danger: true,
                          onSelect: () => setAsked('block'),
                        },
                  ],
                ]
              : []),
          ]}
        />
      ) : (
        button
      )}
      {asked === 'block' && other && (
        <BlockDialog
          name={displayName(other.name)}
          onBlock={() => void store.block(true)}
          onClose={() => setAsked(null)}
        />
      )}
      {asked === 'people' && <PeopleDialog store={store} me={me} onClose={() => setAsked(null)} />}
    </>
  );
}
