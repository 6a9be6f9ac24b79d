import type { SupabaseClient } from '@supabase/supabase-js';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GatewaySite, openSite } from './gateway-site.ts';

let site: GatewaySite;
let owner: SupabaseClient;
let ownerId: string;

beforeAll(async () => {
  site = await openSite();
  await site.sql.unsafe(`
    insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types) values
      ('drawer', 'drawer', false, 200000, array['image/png', 'text/plain', 'text/html', 'application/pdf']),
      ('wall', 'wall', true, null, null);
    create policy "Own drawer" on storage.objects for all to authenticated
      using (bucket_id = 'drawer' and (storage.foldername(name))[1] = (select auth.uid())::text)
      with check (bucket_id = 'drawer' and (storage.foldername(name))[1] = (select auth.uid())::text);
  `);
  ({ browser: owner, id: ownerId } = await site.person('files@example.com'));
});
afterAll(() => site.close());

const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 255, 128]);

describe('Files', () => {
  test('A visitor or another person cannot read, list, sign or replace a file', async () => {
    const path = `${ownerId}/private.png`;
    await owner.storage.from('drawer').upload(path, png, { contentType: 'image/png' });
    const other = (await site.person('nosy@example.com')).browser;
    for (const client of [other, site.browser()]) {
      const drawer = client.storage.from('drawer');
      expect((await drawer.download(path)).error).not.toBeNull();
      expect((await drawer.list(ownerId)).data ?? []).toEqual([]);
      expect((await drawer.createSignedUrl(path, 60)).error).not.toBeNull();
      const replaced = await drawer.upload(path, png, { contentType: 'image/png', upsert: true });
      expect(replaced.error).not.toBeNull();
      await drawer.remove([path]);
    }
    expect((await owner.storage.from('drawer').download(path)).error).toBeNull();
  });

  test('What a deleted account leaves is removed, content and all, and only that', async () => {
    const drawer = owner.storage.from('drawer');
    const [left, kept] = [`${ownerId}/left.png`, `${ownerId}/kept.png`];
    for (const path of [left, kept]) await drawer.upload(path, png, { contentType: 'image/png' });
    await site.sql`
      insert into private.jobs (kind, payload)
      select 'remove_file', jsonb_build_object('bucket', 'drawer', 'path', p)
      from unnest(array[${left}, 'never/was.png']) p`;
    await site.gateway.runDueJobs('remove_file');
    expect((await drawer.download(left)).error).not.toBeNull();
    expect((await drawer.download(kept)).error).toBeNull();
    expect((await drawer.list(ownerId)).data?.map(({ name }) => name)).not.toContain('left.png');
    expect(await site.sql`select from private.jobs where kind = 'remove_file'`).toHaveLength(0);
  });

  test('Only the schedule, with the secret key, asks for it', async () => {
    const ask = (method: string, key: string) =>
      site.ask('/functions/v1/run-jobs', { method, headers: { apikey: key } });
    expect((await ask('POST', site.keys.publishableKey)).status).toBe(403);
    expect((await ask('GET', site.keys.secretKey)).status).toBe(405);
  });

  test('What is too large or of another type is refused', async () => {
    const drawer = owner.storage.from('drawer');
    const large = await drawer.upload(
      `${ownerId}/large.png`,
      new Blob([new Uint8Array(200_001)], { type: 'image/png' }),
    );
    expect(large.error).not.toBeNull();
    const script = await drawer.upload(
      `${ownerId}/x.js`,
      new Blob(['1'], { type: 'text/javascript' }),
    );
    expect(script.error).not.toBeNull();
    const pieces = new Blob([new Uint8Array(200_001)]).stream();
    const unannounced = await site.ask(`/storage/v1/object/drawer/${ownerId}/pieces.png`, {
      method: 'POST',
      headers: { ...(await site.headersOf(owner)), 'content-type': 'image/png' },
      body: pieces,
      duplex: 'half',
    } as RequestInit);
    expect(unannounced.status).toBe(400);
    expect((await drawer.list(ownerId, { search: 'pieces' })).data).toEqual([]);
  });

  test.each(['multipart/form-data; boundary=b', 'image/png'])(
    'A visitor stores nothing, and nothing of what they send as %s is read',
    async (type) => {
      let pieces = 0;
      const body = new ReadableStream({
        pull(controller) {
          pieces += 1;
          if (pieces === 100) controller.close();
          else controller.enqueue(new Uint8Array(65_536));
        },
      });
      const answer = await site.ask(`/storage/v1/object/drawer/${ownerId}/theirs.png`, {
        method: 'POST',
        headers: { apikey: site.keys.publishableKey, 'content-type': type },
        body,
        duplex: 'half',
      } as RequestInit);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ statusCode: '403', error: 'Unauthorized' });
      expect(pieces).toBeLessThan(5);
    },
  );

  test.each(['../escape.png', 'a/../../escape.png', '/etc/passwd'])(
    'The path %s does not leave the folder',
    async (path) => {
      const { error } = await owner.storage
        .from('drawer')
        .upload(`${ownerId}/${path}`, png, { contentType: 'image/png' });
      const { data } = await owner.storage.from('drawer').list('');
      expect(error !== null || (data ?? []).every((each) => each.name === ownerId)).toBe(true);
    },
  );

  test.each([
    ['a Blob', () => new Blob([png], { type: 'image/png' })],
    ['a File', () => new File([png], 'photo.png', { type: 'image/png' })],
    ['bytes', () => png.buffer],
  ])('A person uploads %s and gets the same bytes back', async (what, body) => {
    const path = `${ownerId}/${what.replace(' ', '-')} ü.png`.replace('ü', 'u');
    const drawer = owner.storage.from('drawer');
    const up = await drawer.upload(path, body(), { contentType: 'image/png', cacheControl: '60' });
    expect(up.error).toBeNull();
    expect(up.data?.path).toBe(path);
    const down = await drawer.download(path);
    expect(down.error).toBeNull();
    expect(down.data?.type).toBe('image/png');
    expect(new Uint8Array((await down.data?.arrayBuffer()) ?? new ArrayBuffer(0))).toEqual(png);
    const again = await drawer.upload(path, body(), { contentType: 'image/png' });
    expect(again.error).not.toBeNull();
    const upsert = await drawer.upload(path, new Blob(['new'], { type: 'text/plain' }), {
      upsert: true,
    });
    expect(upsert.error).toBeNull();
    expect(await (await drawer.download(path)).data?.text()).toBe('new');
  });

  test('What came in slowly takes the place of nothing that was stored meanwhile', async () => {
    const path = `${ownerId}/raced.txt`;
    const drawer = owner.storage.from('drawer');
    for (const method of ['POST', 'PUT']) {
      await drawer.remove([path]);
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
      const writer = writable.getWriter();
      const headers = { ...(await site.headersOf(owner)), 'content-type': 'text/plain' };
      const slow = site.ask(`/storage/v1/object/drawer/${path}`, {
        method,
        headers: { ...headers, 'content-length': '7', 'x-upsert': 'true' },
        body: readable,
        duplex: 'half',
      } as RequestInit);
      // Its first bytes are taken: it was allowed to come, when there was nothing yet.
      await writer.write(new TextEncoder().encode('chan'));
      await writer.write(new TextEncoder().encode('g'));
      const meanwhile = await drawer.upload(path, 'looked at', { contentType: 'text/plain' });
      expect(meanwhile.error).toBeNull();
      await writer.write(new TextEncoder().encode('ed'));
      await writer.close();
      expect((await slow).ok, method).toBe(false);
      expect(await (await drawer.download(path)).data?.text(), method).toBe('looked at');
    }
  });

  test('A link opens a file without a key, for as long as it says', async () => {
    const path = `${ownerId}/linked.png`;
    const drawer = owner.storage.from('drawer');
    await drawer.upload(path, png, { contentType: 'image/png' });
    const { data, error } = await drawer.createSignedUrl(path, 60);
    expect(error).toBeNull();
    const url = new URL(data?.signedUrl ?? '');
    const opened = await site.ask(url.pathname + url.search);
    expect([opened.status, opened.headers.get('content-type')]).toEqual([200, 'image/png']);
    // Kept by the browser of this person alone: the link ends sooner than what a proxy would keep.
    expect(opened.headers.get('cache-control')).toBe('private, max-age=3600');
    const swapped = await site.ask(`${url.pathname.replace('linked', 'private')}${url.search}`);
    expect(swapped.status).toBeGreaterThanOrEqual(400);
    // Nobody makes a link today that opens the file after they have lost it.
    expect((await drawer.createSignedUrl(path, 61)).error?.message).toMatch(/at most 60 seconds/);
    expect((await drawer.createSignedUrls([path], 3600)).error?.message).toMatch(/at most 60/);
    const many = await drawer.createSignedUrls([path], 60);
    expect(many.data?.[0]?.signedUrl).toContain('token=');
  });

  test('A link that is for saving gives the file its own name', async () => {
    const path = `${ownerId}/named.png`;
    const drawer = owner.storage.from('drawer');
    await drawer.upload(path, png, { contentType: 'image/png' });
    const { data } = await drawer.createSignedUrl(path, 60);
    const url = new URL(data?.signedUrl ?? '');
    url.searchParams.set('download', 'Käse (1).png');
    const { headers, status } = await site.ask(url.pathname + url.search);
    expect(status).toBe(200);
    expect(headers.get('content-disposition')).toBe(
      "attachment; filename*=UTF-8''K%C3%A4se%20%281%29.png",
    );
  });

  test('However its address is written, a link opens a file for a minute at most', async () => {
    const path = `${ownerId}/linked.png`;
    const headers = await site.headersOf(owner);
    for (const address of ['object/%73ign', '%6fbject/sign', '%6F%62ject/%73%69%67%6e']) {
      const answer = await site.ask(`/storage/v1/${address}/drawer/${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ expiresIn: 3600 }),
      });
      expect([answer.status, await answer.text()]).toEqual([
        400,
        expect.stringContaining('at most 60 seconds'),
      ]);
    }
  });

  test('Nobody gets a link under which a file is stored later, or stored anew', async () => {
    const path = `${ownerId}/by-link.png`;
    const drawer = owner.storage.from('drawer');
    for (const upsert of [false, true]) {
      expect((await drawer.createSignedUploadUrl(path, { upsert })).error).not.toBeNull();
    }
    const up = await drawer.uploadToSignedUrl(path, 'a-token', new Blob([png]));
    expect(up.error).not.toBeNull();
  });

  test('A page that someone uploaded never runs as a page of this site', async () => {
    const path = `${ownerId}/page.html`;
    const drawer = owner.storage.from('drawer');
    await drawer.upload(path, new Blob(['<script>alert(1)</script>'], { type: 'text/html' }));
    const { data } = await drawer.createSignedUrl(path, 60);
    const url = new URL(data?.signedUrl ?? '');
    const { headers } = await site.ask(url.pathname + url.search);
    expect(headers.get('content-disposition')).toBe('attachment');
    expect(headers.get('content-security-policy')).toContain('sandbox');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('Files are listed, moved, copied and removed', async () => {
    const drawer = owner.storage.from('drawer');
    await drawer.upload(`${ownerId}/shelf/one.png`, png, { contentType: 'image/png' });
    expect(
      (await drawer.copy(`${ownerId}/shelf/one.png`, `${ownerId}/shelf/two.png`)).error,
    ).toBeNull();
    expect(
      (await drawer.move(`${ownerId}/shelf/one.png`, `${ownerId}/shelf/three.png`)).error,
    ).toBeNull();
    const listed = await drawer.list(`${ownerId}/shelf`);
    expect(listed.data?.map((each) => each.name).sort()).toEqual(['three.png', 'two.png']);
    expect(
      (await drawer.remove([`${ownerId}/shelf/two.png`, `${ownerId}/shelf/three.png`])).error,
    ).toBeNull();
    expect((await drawer.download(`${ownerId}/shelf/two.png`)).error).not.toBeNull();
    expect((await drawer.list(`${ownerId}/shelf`)).data).toEqual([]);
  });
});

test('Somebody sends a few files at once; one more has to wait, and nobody else does', async () => {
  const other = await site.person('also-uploads@example.com');
  const headers = { ...(await site.headersOf(owner)), 'content-type': 'image/png' };
  const uploads = Array.from({ length: 5 }, (_, n) => {
    let finish = () => {};
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        finish = () => {
          controller.enqueue(png);
          controller.close();
        };
      },
    });
    const path = `/storage/v1/object/drawer/${ownerId}/at-once-${n}.png`;
    const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit;
    return { answer: site.ask(path, init), finish: () => finish() };
  });
  // Four wait for the rest of their files; whichever came last is answered at once.
  const refused = await Promise.race(uploads.map(({ answer }) => answer));
  expect(refused.status).toBe(429);
  expect(await refused.json()).toMatchObject({ message: expect.stringContaining('Too many') });
  const free = await other.browser.storage
    .from('drawer')
    .upload(`${other.id}/free.png`, png, { contentType: 'image/png' });
  expect(free.error).toBeNull();

  for (const { finish } of uploads) finish();
  const answers = await Promise.all(uploads.map(({ answer }) => answer));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 429]);
  const after = await owner.storage
    .from('drawer')
    .upload(`${ownerId}/after.png`, png, { contentType: 'image/png' });
  expect(after.error).toBeNull();
});

describe('What once opened a file', () => {
  test('A link that has expired or was made up is refused, not a failure', async () => {
    const path = `${ownerId}/linked.png`;
    await owner.storage.from('drawer').upload(path, png, { contentType: 'image/png' });
    const { data } = await owner.storage.from('drawer').createSignedUrl(path, 60);
    const link = new URL(data?.signedUrl ?? '');
    const open = (token: string) => site.ask(`${link.pathname}?token=${token}`);
    const good = link.searchParams.get('token') ?? '';
    expect((await open(good)).status).toBe(200);
    const expired = await new SignJWT({ url: `drawer/${path}` })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime(Math.floor(Date.now() / 1000) - 1)
      .sign(new TextEncoder().encode(site.keys.jwtSecret));
    for (const token of [expired, 'abc', `${good}x`, '']) {
      const answer = await open(token);
      expect([answer.status, await answer.json()]).toMatchObject([400, { error: 'InvalidJWT' }]);
    }
  });

  test('Somebody whose session was ended elsewhere is told to sign in, whatever they do', async () => {
    const { browser, id } = await site.person('ended@example.com');
    await browser.storage.from('drawer').upload(`${id}/a.png`, png, { contentType: 'image/png' });
    const headers = await site.headersOf(browser);
    await site.sql`delete from auth.sessions where user_id = ${id}`;
    const json = JSON.stringify;
    for (const [method, path, body] of [
      ['GET', `object/drawer/${id}/a.png`],
      ['GET', `object/info/drawer/${id}/a.png`],
      ['POST', `object/sign/drawer/${id}/a.png`, json({ expiresIn: 10 })],
      ['POST', 'object/sign/drawer', json({ expiresIn: 10, paths: [`${id}/a.png`] })],
      ['POST', 'object/list/drawer', json({ prefix: id })],
      ['POST', `object/drawer/${id}/b.png`, 'x'],
      ['DELETE', 'object/drawer', json({ prefixes: [`${id}/a.png`] })],
      ['POST', 'object/move', json({ bucketId: 'drawer', sourceKey: 'a', destinationKey: 'b' })],
    ] as const) {
      const answer = await site.ask(`/storage/v1/${path}`, { method, headers, body: body ?? null });
      expect([path, answer.status]).toEqual([path, 401]);
    }
    const { error } = await browser.storage.from('drawer').download(`${id}/a.png`);
    expect(error).not.toBeNull();
  });
});

describe('What a file is', () => {
  const text = (words: string) => new TextEncoder().encode(words);
  const send = (name: string, body: Uint8Array, contentType: string) =>
    owner.storage.from('drawer').upload(`${ownerId}/${name}`, body, { contentType });

  test.each([
    ['a page as a picture', text('<script>alert(1)</script>'), 'image/png'],
    ['a picture as a document', png, 'application/pdf'],
    ['a program as text', new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 0, 1]), 'text/plain'],
  ])('Nobody stores %s', async (_what, body, type) => {
    const { error } = await send('wrong', body, type);
    expect(error).toMatchObject({ statusCode: '415' });
    const blob = new Blob([body], { type });
    const inForm = await owner.storage.from('drawer').upload(`${ownerId}/form`, blob);
    expect(inForm.error).toMatchObject({ statusCode: '415' });
    const put = await owner.storage.from('drawer').update(`${ownerId}/form`, blob);
    expect(put.error).toMatchObject({ statusCode: '415' });
    expect((await owner.storage.from('drawer').download(`${ownerId}/wrong`)).error).not.toBeNull();
  });

  test('What it says it is, it may be', async () => {
    expect((await send('right.png', png, 'image/png')).error).toBeNull();
    expect((await send('right.pdf', text('%PDF-1.7'), 'application/pdf')).error).toBeNull();
    expect((await send('right.txt', text('Größe'), 'text/plain')).error).toBeNull();
  });
});
