/** What the command menu lists: pages by their names, and what a search of the database found. */
import type { Found } from '#data/search.ts';
import type { Role } from '#domain/person.ts';
import { type ProjectStatus, STATUS_LABELS } from '#domain/project.ts';
import { FOUND_KINDS, FOUND_LABELS, type FoundKind } from '#domain/search.ts';
import type { RecentPage } from '#lib/browser/recent-pages.ts';
import { hrefFor } from '#lib/routing/href.ts';
import type { NavLink } from '#lib/routing/navigation.ts';
import { writeHref } from '#lib/routing/write-href.ts';

export type EntryKind = FoundKind | 'page' | 'recent';

export interface Entry {
  /** What it opens; no two entries of the menu have the same. */
  href: string;
  kind: EntryKind;
  title: string;
  detail: string | null;
}

export interface EntryGroup {
  kind: EntryKind;
  label: string;
  entries: Entry[];
}

/** The most pages listed while something is typed, so that what's found stays in sight. */
const PAGES_SHOWN = 4;
/** The most recent pages listed before anything is typed. */
const RECENT_SHOWN = 5;

const HREFS: Record<FoundKind, (found: Found, role: Role) => string> = {
  account: ({ id }) => hrefFor('/admin/people/[id]', { id }),
  client: ({ id }) => hrefFor('/dashboard/coaching/[id]', { id }),
  project: ({ id }) => hrefFor('/dashboard/projects/[id]', { id }),
  business: ({ id }, role) =>
    hrefFor(role === 'admin' ? '/admin/businesses/[id]' : '/dashboard/businesses/[id]', { id }),
  person: ({ id }) => writeHref('direct', id),
  conversation: ({ id }) => hrefFor('/dashboard/messages/conversations/[id]', { id }),
  message: ({ id, seq }) =>
    `${hrefFor('/dashboard/messages/conversations/[id]', { id })}?at=${seq ?? ''}`,
  tool: ({ id }) => `${hrefFor('/dashboard/toolbox')}?item=${id}`,
};

const isStatus = (type: string | null): type is ProjectStatus =>
  type !== null && type in STATUS_LABELS;

/** The line below a result's title. */
function detailOf({ kind, detail, type }: Found): string | null {
  if (kind === 'project' && isStatus(type))
    return [STATUS_LABELS[type], detail].filter(Boolean).join(' · ');
  if (kind === 'account' && type && type !== 'owner')
    return `${type === 'coach' ? 'Coach' : 'Admin'} · ${detail}`;
  return detail;
}

/** A text's words without accents and case, as `private.plain_words` has them. */
const wordsOf = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/** The pages whose names have words that start with all of these. */
export function pagesWith(pages: readonly NavLink[], typed: string): NavLink[] {
  const asked = wordsOf(typed);
  if (asked.length === 0) return [];
  return pages.filter(({ label }) => {
    const words = wordsOf(label);
    return asked.every((start) => words.some((word) => word.startsWith(start)));
  });
}

const pageEntry = ({ href, label }: NavLink): Entry => ({
  href,
  kind: 'page',
  title: label,
  detail: null,
});

interface Menu {
  typed: string;
  found: readonly Found[];
  pages: readonly NavLink[];
  recent: readonly RecentPage[];
  role: Role;
  /** The address of the open page, which is left out of the recent ones. */
  here: string;
}

/** The menu's groups, none of them empty: recent pages and all pages, or what the words find. */
export function groupsOf({ typed, found, pages, recent, role, here }: Menu): EntryGroup[] {
  const groups: EntryGroup[] = [];
  const seen = new Set<string>();
  function add(kind: EntryKind, label: string, entries: Entry[]): void {
    const others = entries.filter(({ href }) => !seen.has(href));
    for (const { href } of others) seen.add(href);
    if (others.length > 0) groups.push({ kind, label, entries: others });
  }
  if (typed.trim() === '') {
    const opened = recent.filter(({ href }) => href !== here).slice(0, RECENT_SHOWN);
    add(
      'recent',
      'Recent',
      opened.map((page) => ({ ...page, kind: 'recent', detail: null })),
    );
    add('page', 'Pages', pages.map(pageEntry));
    return groups;
  }
  add('page', 'Pages', pagesWith(pages, typed).slice(0, PAGES_SHOWN).map(pageEntry));
  for (const kind of FOUND_KINDS) {
    const some = found.filter((each) => each.kind === kind);
    add(
      kind,
      FOUND_LABELS[kind],
      some.map((each) => ({
        href: HREFS[kind](each, role),
        kind,
        title: each.title,
        detail: detailOf(each),
      })),
    );
  }
  return groups;
}
