import { beforeEach, describe, expect, test } from 'vitest';
import { renderMail } from '#backend/supabase/functions/_shared/mail/templates.ts';
import { expectReaders, openWorld, type PersonaName } from '../../fixtures/personas.ts';

const world = await openWorld();
const { sql, people, as, ask, refusal } = world;
const { owner, colleague, coach, admin } = people;

beforeEach(async () => {
  await sql`delete from public.notifications`;
  await sql`delete from private.jobs where kind = 'mail'`;
  await sql`delete from realtime.messages where topic like 'person:%'`;
});

interface News {
  kind?: string;
  key?: string;
  title?: string;
  body?: string;
  path?: string;
}

/** Notifies a person; returns whether it was new. */
async function notify(userId: string, news: News = {}): Promise<boolean> {
  const { kind = 'coaching', key = 'it', title = 'It happened', body = 'All of it.' } = news;
  const { path = '/dashboard/coaching' } = news;
  const [row] = await sql`
    select private.notify(${userId}, ${kind}, ${key}, ${title}, ${body}, ${path}) as it`;
  return row?.it;
}
const mails = () => sql`select to_address, data from private.mails order by created_at, id`;
const told = async (userId: string) =>
  (
    await sql`
      select payload from realtime.messages
      where topic = ${`person:${userId}`} and event = 'notifications'`
  ).length;
const unread = async (name: PersonaName) =>
  (await ask(people[name], 'session_context()')).unread_notifications;

describe('Refused', () => {
  const id = crypto.randomUUID();
  test.each([
    ['list_notifications()', []],
    ['mark_notifications_read()', []],
    ['unread_counts()', []],
    ['open_notification($1)', [id]],
  ])('%s without an account or a code', async (call, values) => {
    for (const name of ['visitor', 'ownerWithoutCode'] as const) {
      expect(await refusal(people[name], call, values)).toMatch(/^42501/);
    }
  });

  test('Nobody reads, marks or opens someone else’s', async () => {
    await notify(owner.userId);
    await expectReaders(world, 'notifications', 'key', { owner: ['it'] });
    const [row] = await sql`select id from public.notifications`;
    for (const other of [colleague, coach, admin]) {
      expect(await ask(other, 'open_notification($1)', [row?.id])).toEqual({ path: null });
      expect(await ask(other, 'mark_notifications_read($1)', [[row?.id]])).toEqual({ unread: 0 });
      expect((await ask(other, 'list_notifications()')).rows).toEqual([]);
    }
    expect(await unread('owner')).toBe(1);
  });

  test('A page of another site is never led to', async () => {
    for (const path of ['//evil.example', 'https://evil.example', '']) {
      await expect(notify(owner.userId, { path })).rejects.toMatchObject({ code: '23514' });
    }
  });
});

describe('A person is notified', () => {
  test('Once for a key, with one email, whatever is said the second time', async () => {
    expect(await notify(owner.userId)).toBe(true);
    expect(await notify(owner.userId, { title: 'It happened again' })).toBe(false);
    expect(await notify(owner.userId, { key: 'another' })).toBe(true);
    // Keys are each person's own.
    expect(await notify(coach.userId)).toBe(true);
    expect((await mails()).map(({ to_address }) => to_address)).toEqual([
      owner.email,
      owner.email,
      coach.email,
    ]);
    expect(await told(owner.userId)).toBe(2);
  });

  test('Once by ten calls at the same moment', async () => {
    const calls = Array.from({ length: 10 }, () => notify(owner.userId));
    expect((await Promise.all(calls)).filter((isNew) => isNew)).toEqual([true]);
    expect(await mails()).toHaveLength(1);
    expect(await sql`select from public.notifications`).toHaveLength(1);
  });

  test('Not at all, neither here nor by email, if what it’s about is undone', async () => {
    const undone = sql.begin(async (tx) => {
      await tx`select private.notify(${owner.userId}, 'coaching', 'it', 'T', 'B', '/dashboard')`;
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await mails()).toEqual([]);
    expect(await told(owner.userId)).toBe(0);
    expect(await notify(owner.userId)).toBe(true);
  });

  test('Someone who’s gone isn’t', async () => {
    expect(await notify(crypto.randomUUID())).toBe(false);
  });

  test('By email unless they don’t want those of its group', async () => {
    const want = (setting: string, wanted: boolean) =>
      sql.unsafe(
        `insert into public.notification_settings as s (user_id, ${setting})
        values ('${owner.userId}', ${wanted})
        on conflict (user_id) do update set ${setting} = excluded.${setting}`,
      );
    for (const [kind, setting] of [
      ['coaching', 'coaching'],
      ['session', 'coaching'],
      ['survey', 'coaching'],
      ['reminder', 'reminders'],
      ['business', 'news'],
    ] as const) {
      await sql`delete from private.jobs where kind = 'mail'`;
      await want(setting, false);
      expect(await notify(owner.userId, { kind, key: `${kind}:off` }), kind).toBe(true);
      expect(await mails(), kind).toEqual([]);
      await want(setting, true);
      expect(await notify(owner.userId, { kind, key: `${kind}:on` }), kind).toBe(true);
      expect(await mails(), kind).toHaveLength(1);
    }
    await sql`
      update public.notification_settings set coaching = false, reminders = false, news = false`;
    await notify(owner.userId, { kind: 'account', key: 'account' });
    await notify(owner.userId, { kind: 'support', key: 'support' });
    expect(await mails()).toHaveLength(3);
    await sql`delete from public.notification_settings`;
  });

  test('With the whole text in the email, and its beginning here', async () => {
    const body = `First line\n${'long '.repeat(120)}end`;
    await notify(owner.userId, { title: 'A\ntitle', body });
    const [row] = await sql`select id, title, body from public.notifications`;
    expect(row?.title).toBe('A title');
    expect(row?.body).toHaveLength(500);
    expect(row?.body).toMatch(/^First line\nlong .*…$/);
    const [mail] = await mails();
    const { subject, text } = renderMail('notice', mail?.data, {
      product: 'Trellis',
      organisation: 'Trellis',
      email: 'hello@example.test',
      siteUrl: 'https://site.example',
    });
    expect(subject).toBe('A title');
    expect(text).toMatch(/long end/);
    expect(text).toContain(`https://site.example/dashboard/notifications/${row?.id}`);
    expect(text).toContain('https://site.example/dashboard/profile');
    expect(text).toContain('because you take part in coaching');
  });
});

test('All admins are notified, and nobody else, each once', async () => {
  const tell = async () => {
    const [row] = await sql`
      select private.notify_admins('support', 'it', 'Look', 'Now.', '/admin') as count`;
    return row?.count;
  };
  expect(await tell()).toBe(1);
  expect(await tell()).toBe(0);
  await expectReaders(world, 'notifications', 'title', { admin: ['Look'] });
});

describe('A person reads', () => {
  test('Their notifications a page at a time, newest first', async () => {
    for (const n of [1, 2, 3]) {
      await notify(owner.userId, { key: `${n}`, title: `Title ${n}` });
      await sql`
        update public.notifications set created_at = now() - ${5 - n} * interval '1 day'
        where key = ${`${n}`}`;
    }
    await notify(colleague.userId);
    const list = (place: object | null, limit: number | null) =>
      ask(owner, 'list_notifications($1, $2)', [place, limit]);
    const titles = (page: { rows: { title: string }[] }) => page.rows.map(({ title }) => title);
    const first = await list(null, 2);
    expect(titles(first)).toEqual(['Title 3', 'Title 2']);
    expect(first).toMatchObject({ more: true, count: null });
    expect(first.rows[0]).toMatchObject({ kind: 'coaching', body: 'All of it.', is_unread: true });
    const { id, key } = first.rows[1];
    const second = await list({ way: 'after', id, key }, 2);
    expect(titles(second)).toEqual(['Title 1']);
    expect(second.more).toBe(false);
    const [{ id: lastId, key: lastKey }] = second.rows;
    expect(titles(await list({ way: 'before', id: lastId, key: lastKey }, 2))).toEqual([
      'Title 3',
      'Title 2',
    ]);
    expect((await list(null, null)).count).toEqual({ total: 3, at_least: false });
    expect(
      await refusal(owner, 'list_notifications($1)', [{ way: 'after', key: 'x', id: 'y' }]),
    ).toBe('22023 We lost your place in the list. Start from the top.');
  });

  test('One by opening it, some, or all, and every page of theirs hears of it', async () => {
    for (const key of ['a', 'b', 'c'])
      await notify(owner.userId, { key, path: `/dashboard/${key}` });
    await notify(coach.userId);
    const idOf = async (key: string) => {
      const [row] = await sql`
        select id from public.notifications where key = ${key} and user_id = ${owner.userId}`;
      return row?.id;
    };
    expect(await ask(owner, 'unread_counts()')).toEqual({ messages: 0, notifications: 3 });
    expect(await told(owner.userId)).toBe(3);
    for (let times = 0; times < 2; times += 1) {
      expect(await ask(owner, 'open_notification($1)', [await idOf('a')])).toEqual({
        path: '/dashboard/a',
      });
    }
    expect(await told(owner.userId)).toBe(4);
    expect(await ask(owner, 'mark_notifications_read($1)', [[await idOf('b')]])).toEqual({
      unread: 1,
    });
    expect(await unread('owner')).toBe(1);
    expect(await ask(owner, 'mark_notifications_read()')).toEqual({ unread: 0 });
    expect(await ask(owner, 'mark_notifications_read()')).toEqual({ unread: 0 });
    expect(await told(owner.userId)).toBe(6);
    expect(await unread('coach')).toBe(1);
  });

  test('A count that ends at 100', async () => {
    await sql`
      insert into public.notifications (user_id, kind, key, title, body, path)
      select ${owner.userId}, 'coaching', n::text, 'T', '', '/dashboard' from generate_series(1, 120) n`;
    expect(await unread('owner')).toBe(100);
    expect(await unread('ownerWithoutCode')).toBe(0);
  });
});

test('Notifications are kept for 180 days', async () => {
  await notify(owner.userId, { key: 'old' });
  await notify(owner.userId, { key: 'new' });
  await sql`update public.notifications set created_at = now() - interval '181 days' where key = 'old'`;
  await sql`select private.delete_old_notifications()`;
  await expectReaders(world, 'notifications', 'key', { owner: ['new'] });
});

test('What a person was notified of is in their export, and goes with their account', async () => {
  await notify(colleague.userId, { title: 'Only Cole’s' });
  const { tables } = await ask(colleague, 'export_account()');
  expect(tables.notifications).toMatchObject([{ title: 'Only Cole’s' }]);
  expect((await ask(owner, 'export_account()')).tables.notifications).toEqual([]);
  await sql`delete from auth.users where id = ${colleague.userId}`;
  expect(await sql`select from public.notifications`).toEqual([]);
});

test('A request that was answered says so to the coach who was asked, and to nobody else', async () => {
  const { alderEngagement } = world.ids;
  const [asked] = await sql`
    select max(id) as id from public.engagement_events
    where engagement_id = ${alderEngagement} and to_state = 'assigned'`;
  const key = `step:${alderEngagement}:${asked?.id}`;
  for (const { userId } of [owner, coach]) await notify(userId, { key });
  await notify(coach.userId, { key: 'step:not-one:1' });
  const answers = async (who: typeof coach) =>
    (await ask(who, 'list_notifications()')).rows.map(({ answer }: { answer: unknown }) => answer);
  expect(await answers(coach)).toEqual([null, null]);
  await ask(coach, 'accept_client($1)', [alderEngagement]);
  const yes = { at: expect.any(String), is_yes: true };
  const [own] = (await ask(coach, 'list_notifications()')).rows.filter(
    ({ answer }: { answer: unknown }) => answer !== null,
  );
  expect(own.answer).toEqual(yes);
  expect((await answers(coach)).filter(Boolean)).toHaveLength(1);
  expect((await answers(owner)).filter(Boolean)).toEqual([]);
});

test('When a coaching is withdrawn, its coach is notified', async () => {
  await as(owner)`select public.withdraw_coaching(${world.ids.alderEngagement})`;
  await as(owner)`select public.withdraw_coaching(${world.ids.alderEngagement})`;
  const { rows } = await ask(coach, 'list_notifications()');
  expect(rows).toMatchObject([
    { kind: 'coaching', title: 'Alder Bakery has withdrawn from coaching', is_unread: true },
  ]);
  expect((await mails()).map(({ to_address }) => to_address)).toEqual([coach.email]);
});
