import { useStore } from '@nanostores/react';
import {
  BookOpen,
  Building2,
  Clock,
  CornerDownRight,
  FolderKanban,
  Handshake,
  MessageSquare,
  MessagesSquare,
  UserRound,
} from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import type { SessionFacts } from '#data/session.ts';
import { LONGEST_SEARCH, SHORTEST_SEARCH } from '#domain/search.ts';
import { addressToKeep, recentPages } from '#lib/browser/recent-pages.ts';
import { db } from '#lib/db.ts';
import { commandPages } from '#lib/routing/navigation.ts';
import { sessionEnded } from '#stores/session.ts';
import { classNames } from '#ui/class-names.ts';
import { DialogWindow } from '#ui/DialogWindow.tsx';
import { Failure } from '#ui/Failure.tsx';
import { TextInput } from '#ui/forms/TextInput.tsx';
import { createCommandStore } from './command-store.ts';
import { type Entry, type EntryGroup, type EntryKind, groupsOf } from './entries.ts';
import { Key } from './Key.tsx';

const ICONS: Record<EntryKind, typeof BookOpen> = {
  page: CornerDownRight,
  recent: Clock,
  account: UserRound,
  client: Handshake,
  project: FolderKanban,
  business: Building2,
  person: UserRound,
  conversation: MessagesSquare,
  message: MessageSquare,
  tool: BookOpen,
};

interface CommandMenuProps {
  session: SessionFacts;
  onClose: () => void;
  onShowShortcuts: () => void;
}

/** What the menu lists, and which entry the arrow keys have come to: at first the first one. */
function useEntries(session: SessionFacts) {
  const [store] = useState(() => createCommandStore({ db, signedOut: sessionEnded }));
  const typed = useStore(store.$typed);
  const found = useStore(store.$found);
  const state = useStore(store.$state);
  const [pages] = useState(() => commandPages(session.role, session.programs));
  const [recent] = useState(() => recentPages(session.userId));
  const [chosen, setChosen] = useState<string | null>(null);
  useEffect(() => store.close, [store]);

  const here = addressToKeep(location);
  const groups = groupsOf({ typed, found, pages, recent, role: session.role, here });
  const entries = groups.flatMap((group) => group.entries);
  const active = entries.find(({ href }) => href === chosen) ?? entries[0] ?? null;
  const type = (words: string) => {
    setChosen(null);
    store.type(words);
  };
  return { typed, type, groups, entries, active, setChosen, state, retry: store.retry };
}

/**
 * The command menu: opens any page, and finds what the person may see in one search. A combobox, whose
 * focus stays in the field while the arrow keys choose.
 * https://www.w3.org/WAI/ARIA/apg/patterns/combobox/
 */
export function CommandMenu({ session, onClose, onShowShortcuts }: CommandMenuProps) {
  const { typed, type, groups, entries, active, setChosen, state, retry } = useEntries(session);
  const id = useId();
  const isLoading = state.name === 'loading';
  const press = (event: KeyboardEvent) => {
    const next = entryAfter(event.key, entries, active);
    if (next) setChosen(next.href);
    else if (event.key === 'Enter' && active && !event.nativeEvent.isComposing) {
      openEntry(optionId(id, entries, active), event);
    } else return;
    event.preventDefault();
  };
  return (
    <DialogWindow
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title="Find anything"
      className="h-[92dvh] gap-3! overflow-hidden! sm:h-[min(36rem,88dvh)] sm:w-[min(38rem,calc(100vw-2rem))]!"
    >
      <TextInput
        type="search"
        role="combobox"
        aria-label="Find anything"
        aria-expanded={entries.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={active ? optionId(id, entries, active) : undefined}
        placeholder="Pages, projects, people, tools …"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={LONGEST_SEARCH}
        value={typed}
        onChange={(event) => type(event.currentTarget.value)}
        onKeyDown={press}
      />
      {state.name === 'failed' && (
        <Failure failure={state.error} onRetry={() => void retry()} title="We couldn’t search" />
      )}
      <div className="-mx-2 min-h-0 grow overflow-y-auto px-2">
        <div
          id={`${id}-list`}
          role="listbox"
          aria-label="Results"
          aria-busy={isLoading}
          className={classNames('transition-opacity', isLoading && 'opacity-60')}
        >
          {groups.map((group) => (
            <Group key={group.kind} {...{ group, id, entries, active, onClose }} />
          ))}
        </div>
        {entries.length === 0 && state.name === 'ready' && <Nothing typed={typed.trim()} />}
      </div>
      <p role="status" className="sr-only">
        {state.name === 'ready' && typed.trim() !== '' && countText(entries.length)}
      </p>
      <Hints onShowShortcuts={onShowShortcuts} />
    </DialogWindow>
  );
}

const Nothing = ({ typed }: { typed: string }) => (
  <p className="px-2 py-6 text-sm text-muted wrap-anywhere">
    {typed.length < SHORTEST_SEARCH
      ? 'Type at least two characters.'
      : `Nothing matches “${typed}.” Try the beginning of another word.`}
  </p>
);

/** The menu's keys, on screens that come with a keyboard. */
const Hints = ({ onShowShortcuts }: Pick<CommandMenuProps, 'onShowShortcuts'>) => (
  <p className="hidden flex-wrap items-center gap-x-4 border-t border-line pt-3 text-xs text-muted sm:flex">
    <span>
      <Key>↑</Key> <Key>↓</Key> choose
    </span>
    <span>
      <Key>Enter</Key> opens
    </span>
    <span>
      <Key>Esc</Key> closes
    </span>
    <button type="button" className="link ml-auto" onClick={onShowShortcuts}>
      Keyboard shortcuts
    </button>
  </p>
);

const countText = (count: number) =>
  count === 0 ? 'No results.' : `${count} ${count === 1 ? 'result' : 'results'}.`;

const optionId = (id: string, entries: readonly Entry[], entry: Entry) =>
  `${id}-${entries.indexOf(entry)}`;

/** The entry that a key moves to; null for other keys. The arrows go around. */
function entryAfter(key: string, entries: readonly Entry[], active: Entry | null): Entry | null {
  const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;
  if (step === 0 || !active) return null;
  return entries.at((entries.indexOf(active) + step) % entries.length) ?? null;
}

/** Follows an entry's link as a click with the same keys would: Ctrl or Cmd opens a new tab. */
function openEntry(optionId: string, { ctrlKey, metaKey }: KeyboardEvent): void {
  const click = { bubbles: true, cancelable: true, ctrlKey, metaKey };
  document.getElementById(optionId)?.dispatchEvent(new MouseEvent('click', click));
}

interface GroupProps {
  group: EntryGroup;
  id: string;
  entries: readonly Entry[];
  active: Entry | null;
  onClose: () => void;
}

function Group({ group, id, entries, active, onClose }: GroupProps) {
  const heading = `${id}-${group.kind}`;
  return (
    <fieldset aria-labelledby={heading} className="min-w-0">
      <p id={heading} className="px-2 pt-3 pb-1 text-xs font-semibold text-muted">
        {group.label}
      </p>
      {group.entries.map((entry) => (
        <Option
          key={entry.href}
          id={optionId(id, entries, entry)}
          entry={entry}
          isActive={entry === active}
          onClose={onClose}
        />
      ))}
    </fieldset>
  );
}

interface OptionProps {
  id: string;
  entry: Entry;
  isActive: boolean;
  onClose: () => void;
}

function Option({ id, entry, isActive, onClose }: OptionProps) {
  const box = useRef<HTMLAnchorElement>(null);
  const Icon = ICONS[entry.kind];
  useEffect(() => {
    if (isActive) box.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  return (
    <a
      ref={box}
      id={id}
      role="option"
      aria-selected={isActive}
      tabIndex={-1}
      href={entry.href}
      onClick={(event) => {
        // The page that it leads to opens here, so that going back doesn't find the menu open.
        if (!event.ctrlKey && !event.metaKey && !event.shiftKey) onClose();
      }}
      className="flex min-h-11 items-center gap-3 rounded-control px-2 py-1.5 text-sm no-underline hover:bg-raised aria-selected:bg-primary-soft"
    >
      <Icon className="size-5 shrink-0 text-muted" strokeWidth={1.7} aria-hidden="true" />
      <span className="flex min-w-0 flex-col">
        <span className="truncate font-medium">{entry.title}</span>
        {entry.detail && <span className="truncate text-xs text-muted">{entry.detail}</span>}
      </span>
    </a>
  );
}
