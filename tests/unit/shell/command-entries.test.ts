import { expect, test } from 'vitest';
import type { Found } from '#data/search.ts';
import { ROLES } from '#domain/person.ts';
import { groupsOf, pagesWith } from '#features/shell/command/entries.ts';
import { commandPages } from '#lib/routing/navigation.ts';
import { match } from '#lib/routing/routes.ts';

const ID = '01980000-0000-7000-8000-000000000001';
const found = (kind: Found['kind'], fields: Partial<Found> = {}): Found => ({
  ...{ kind, id: ID, title: 'Alder', detail: null, type: null, seq: null },
  ...fields,
});
const menu = {
  typed: '',
  found: [],
  pages: [],
  recent: [],
  role: 'owner',
  here: '/dashboard',
} as const;
const labels = (role: (typeof ROLES)[number], typed: string) =>
  pagesWith(commandPages(role, false), typed).map(({ label }) => label);

test('Everyone’s pages are ones that they may open, each once and with a name of its own', () => {
  for (const role of ROLES) {
    const pages = commandPages(role, true);
    for (const { href } of pages) {
      const guard = match(href)?.route.guard;
      expect(['none', 'auth', ...(role === 'admin' ? ['admin'] : [])], href).toContain(guard);
    }
    expect(new Set(pages.map(({ href }) => href)).size).toBe(pages.length);
    expect(new Set(pages.map(({ label }) => label)).size).toBe(pages.length);
  }
});

test('A page is found by the beginning of its words, in any order, case and accents', () => {
  expect(labels('owner', 'new pro')).toEqual(['New project']);
  expect(labels('owner', 'PRÖJ')).toEqual(['Projects', 'New project']);
  expect(labels('owner', 'ject')).toEqual([]);
  expect(labels('owner', ' … ')).toEqual([]);
  expect(labels('owner', 'audit')).toEqual([]);
  expect(labels('admin', 'audit')).toEqual(['Audit log']);
});

test('Before anything is typed there are the latest pages but this one, then all others', () => {
  const recent = [
    { href: '/dashboard', title: 'Dashboard' },
    { href: `/dashboard/projects/${ID}`, title: 'Answer every lead' },
    { href: '/dashboard/skills', title: 'Skills' },
  ];
  const groups = groupsOf({ ...menu, recent, pages: commandPages('owner', false) });
  expect(groups.map(({ label }) => label)).toEqual(['Recent', 'Pages']);
  expect(groups[0]?.entries.map(({ title }) => title)).toEqual(['Answer every lead', 'Skills']);
  const hrefs = groups.flatMap(({ entries }) => entries).map(({ href }) => href);
  expect(new Set(hrefs).size).toBe(hrefs.length);
});

test('Each thing that’s found leads to its page, for an admin to the page of admins', () => {
  const all = [
    found('account', { type: 'coach', detail: 'a@example.test' }),
    found('client', { detail: 'Olive Owner' }),
    found('project', { type: 'in_progress', detail: 'Alder Bakery' }),
    found('business'),
    found('person'),
    found('conversation'),
    found('message', { seq: 7 }),
    found('tool', { id: 'cash-forecast' }),
  ];
  const entries = (role: 'owner' | 'admin') =>
    groupsOf({ ...menu, role, typed: 'alder', found: all }).flatMap((group) => group.entries);
  expect(entries('owner').map(({ href, detail }) => [href, detail])).toEqual([
    [`/admin/people/${ID}`, 'Coach · a@example.test'],
    [`/dashboard/coaching/${ID}`, 'Olive Owner'],
    [`/dashboard/projects/${ID}`, 'In progress · Alder Bakery'],
    [`/dashboard/businesses/${ID}`, null],
    [`/dashboard/messages?to=direct:${ID}`, null],
    [`/dashboard/messages/conversations/${ID}`, null],
    [`/dashboard/messages/conversations/${ID}?at=7`, null],
    ['/dashboard/toolbox?item=cash-forecast', null],
  ]);
  expect(entries('admin')[3]?.href).toBe(`/admin/businesses/${ID}`);
});
