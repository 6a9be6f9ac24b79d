import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { DiskSpace, Room } from '#backend/local/postgres/disk-space.ts';
import { toAppError } from '#lib/errors.ts';
import { sendFailureOf } from '#sync/failure.ts';
import { type GatewaySite, openDrawer, openSite, PASSWORD } from './site.ts';

const SENTENCE =
  'Our server is out of space and can’t save anything. Keep this page open and try again later.';

let room: Room;
/** Free bytes for files. */
let left: number;
const space: DiskSpace = {
  room: async () => room,
  claim: async (bytes) => (bytes <= left ? () => {} : null),
  refusalToStart: async () => null,
  refusalToWrite: async () => null,
  databaseSettings: async () => [],
};

let site: GatewaySite;
let owner: SupabaseClient;
let drawer: ReturnType<SupabaseClient['storage']['from']>;
const business = crypto.randomUUID();

beforeAll(async () => {
  [room, left] = ['enough', 1e9];
  site = await openSite({ space: { database: space, files: space } });
  await openDrawer(site);
  owner = (await site.person('owner@example.com')).browser;
  drawer = owner.storage.from('drawer');
  const made = await owner.rpc('create_business', { p_id: business, p_name: 'Alder Bakery' });
  expect(made.error).toBeNull();
  expect((await drawer.upload('kept.txt', 'kept')).error).toBeNull();
});
afterAll(() => site.close());
beforeEach(() => {
  [room, left] = ['little', 0];
});

/** The error that a screen shows for a response. */
const toldOf = ({ error, status }: { error: unknown; status?: number }) => {
  const { kind, message } = toAppError(error, status);
  return { kind, message };
};
const REFUSED = { kind: 'network', message: SENTENCE };

test.each(['little', 'none'] as const)(
  'With %s room, people go on reading rows, procedures and files',
  async (now) => {
    room = now;
    const rows = await owner.from('businesses').select('name').eq('id', business);
    expect(rows.data).toEqual([{ name: 'Alder Bakery' }]);
    expect((await owner.rpc('get_quiz')).error).toBeNull();
    expect((await owner.rpc('list_businesses')).error).toBeNull();
    expect((await owner.auth.getUser()).data.user?.email).toBe('owner@example.com');
    expect(await (await drawer.download('kept.txt')).data?.text()).toBe('kept');
    expect((await drawer.createSignedUrl('kept.txt', 60)).error).toBeNull();
    expect((await drawer.list()).data).toHaveLength(1);
  },
);

test('What writes is refused with 507 and a sentence, stays to be sent again, and goes through once there is room', async () => {
  const create = () =>
    owner.rpc('create_business', { p_id: crypto.randomUUID(), p_name: 'Second' });
  const procedure = await create();
  expect([procedure.status, toldOf(procedure)]).toEqual([507, REFUSED]);
  expect(sendFailureOf(toAppError(procedure.error, procedure.status))).toEqual({ name: 'later' });
  const { user_id } = (await owner.from('profiles').select('user_id').single()).data ?? {};
  const row = await owner.from('notification_settings').insert({ user_id });
  expect([row.status, toldOf(row)]).toEqual([507, REFUSED]);
  expect(await site.sql`select from public.businesses`).toHaveLength(1);
  room = 'enough';
  expect((await create()).error).toBeNull();
});

test('A file is refused before it is read, also one too large for what is left', async () => {
  const headers = { ...(await site.headersOf(owner)), 'content-type': 'text/plain' };
  const send = (name: string, size: number) =>
    site.ask(`/storage/v1/object/drawer/${name}`, {
      method: 'POST',
      headers: { ...headers, 'content-length': `${size}` },
      body: 'x'.repeat(size),
    });
  expect((await send('new.txt', 10)).status).toBe(507);
  [room, left] = ['enough', 5_000];
  const refused = await send('large.txt', 6_000);
  expect(await refused.json()).toMatchObject({ statusCode: '507', message: SENTENCE });
  expect((await send('small.txt', 2_000)).status).toBe(200);
});

test('Somebody who has an account still signs in below the reserve, and not below half of it', async () => {
  const login = { email: 'owner@example.com', password: PASSWORD };
  const signIn = () => site.browser().auth.signInWithPassword(login);
  expect((await signIn()).error).toBeNull();
  expect((await owner.auth.refreshSession()).error).toBeNull();
  const register = site.browser().auth.signUp({ ...login, email: 'new@example.com' });
  expect(toldOf(await register)).toEqual(REFUSED);
  room = 'none';
  expect(toldOf(await signIn())).toEqual(REFUSED);
});

test('A form keeps what was typed, with and without scripts', async () => {
  const fields = { name: 'Wren', email: 'w@example.test', topic: 'pricing', message: 'How much?' };
  const post = (accept: string) =>
    site.ask('/functions/v1/contact', {
      method: 'POST',
      headers: { accept },
      body: new URLSearchParams(fields),
    });
  const byScript = await post('application/json');
  expect([byScript.status, await byScript.json()]).toEqual([507, { errors: { '': SENTENCE } }]);
  const page = await post('text/html');
  expect(page.status).toBe(507);
  const html = await page.text();
  expect(html).toContain(SENTENCE);
  expect(html).toContain('How much?');
  const view = await site.ask('/functions/v1/page-view', { json: { route: '/', path: '/' } });
  expect(view.status).toBe(507);
  expect(site.logged.join('\n')).not.toContain('page-view failed');
});

test('Mail waits, because what can’t be noted as sent would go out twice', async () => {
  await site.sql`
    select private.send_mail('mailed@example.test', 'confirm', '{"link": "http://127.0.0.1:4321/confirm"}')`;
  const went = async () =>
    (await site.letters()).filter(({ to }) => to === 'mailed@example.test').length;
  expect(await went()).toBe(0);
  room = 'enough';
  expect(await went()).toBe(1);
});

test('A disk that the database found full first is told in the same words, and nothing of the inside', async () => {
  [room, left] = ['enough', 1e9];
  await site.sql.unsafe(`
    create function public.fill_up() returns void language plpgsql as $$
    begin
      raise exception 'could not extend file "base/16384/2619": No space left on device'
        using errcode = '53100', hint = 'Check free disk space.';
    end $$;
    grant execute on function public.fill_up to authenticated;
    create function public.no_room() returns trigger language plpgsql as $$
    begin
      perform public.fill_up();
      return new;
    end $$;
    create trigger no_room before insert on storage.objects
    for each row execute function public.no_room();`);
  await site.gateway.schemaChanged();
  const answer = await owner.rpc('fill_up');
  expect([answer.status, toldOf(answer)]).toEqual([507, REFUSED]);
  expect(JSON.stringify(answer.error)).not.toContain('base/');
  expect(toldOf(await drawer.upload('never.txt', 'never'))).toEqual(REFUSED);
});
