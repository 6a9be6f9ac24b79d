import type { SupabaseClient } from '@supabase/supabase-js';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GatewaySite, openSite } from './site.ts';

let site: GatewaySite;
let owner: SupabaseClient;
let ownerId: string;
let drawer: ReturnType<SupabaseClient['storage']['from']>;

beforeAll(async () => {
  site = await openSite();
  await site.sql.unsafe(`
    insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types) values
      ('drawer', 'drawer', false, 200000, array['image/png', 'text/plain', 'text/html', 'application/pdf']);
    create policy "Own drawer" on storage.objects for all to authenticated
      using (bucket_id = 'drawer' and (storage.foldername(name))[1] = (select auth.uid())::text)
      with check (bucket_id = 'drawer' and (storage.foldername(name))[1] = (select auth.uid())::text);
  `);
  ({ browser: owner, id: ownerId } = await site.person('files@example.com'));
  drawer = owner.storage.from('drawer');
});
afterAll(() => site.close());

const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 255, 128]);
const bytes = (text: string) => new TextEncoder().encode(text);
const isPng = { contentType: 'image/png' };

/** Uploads a picture as the owner and returns its path. */
async function store(name: string): Promise<string> {
  const path = `${ownerId}/${name}`;
  await drawer.upload(path, png, { ...isPng, upsert: true });
  return path;
}

/** Creates a signed URL for a file and returns it without the origin. */
async function linkTo(path: string): Promise<string> {
  const { data, error } = await drawer.createSignedUrl(path, 60);
  expect(error).toBeNull();
  const { pathname, search } = new URL(data?.signedUrl ?? '');
  return pathname + search;
}

const object = (name: string) => `/storage/v1/object/drawer/${ownerId}/${name}`;

describe('Files', () => {
  test('A visitor or another person cannot read, list, sign or replace a file', async () => {
    const path = await store('private.png');
    for (const client of [(await site.person('nosy@example.com')).browser, site.browser()]) {
      const theirs = client.storage.from('drawer');
      expect((await theirs.download(path)).error).not.toBeNull();
      expect((await theirs.list(ownerId)).data ?? []).toEqual([]);
      expect((await theirs.createSignedUrl(path, 60)).error).not.toBeNull();
      const replaced = await theirs.upload(path, png, { ...isPng, upsert: true });
      expect(replaced.error).not.toBeNull();
      await theirs.remove([path]);
    }
    expect((await drawer.download(path)).error).toBeNull();
  });

  test('What a deleted account leaves is removed, content and all, and only that', async () => {
    const [left, kept] = [await store('left.png'), await store('kept.png')];
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

  test('A part of a file is sent to those who may read it, and nothing beyond its end', async () => {
    const link = await linkTo(await store('parts.png'));
    const part = async (range: string, more: Record<string, string> = {}) => {
      const answer = await site.ask(link, { headers: { range, ...more } });
      const body = [...new Uint8Array(await answer.arrayBuffer())];
      return [answer.status, answer.headers.get('content-range'), body] as const;
    };
    expect(await part('bytes=1-3')).toEqual([206, 'bytes 1-3/11', [0x50, 0x4e, 0x47]]);
    expect(await part('bytes=8-')).toEqual([206, 'bytes 8-10/11', [0, 255, 128]]);
    expect(await part('bytes=-2')).toEqual([206, 'bytes 9-10/11', [255, 128]]);
    expect(await part('bytes=11-')).toEqual([416, 'bytes */11', []]);
    // Several parts, or a part of what was there before, are answered with all of it.
    expect(await part('bytes=0-1,3-4')).toEqual([200, null, [...png]]);
    expect(await part('bytes=1-3', { 'if-range': '"older"' })).toEqual([200, null, [...png]]);
    const etag = (await site.ask(link)).headers.get('etag') ?? '';
    expect((await part('bytes=1-3', { 'if-range': etag }))[0]).toBe(206);
    const path = object('parts.png');
    const stranger = await site.ask(path, {
      headers: { range: 'bytes=0-', apikey: site.keys.publishableKey },
    });
    expect(stranger.status).toBe(400);
  });

  test('What is too large or of another type is refused', async () => {
    const large = new Blob([new Uint8Array(200_001)], { type: 'image/png' });
    const script = new Blob(['1'], { type: 'text/javascript' });
    for (const [name, body] of [
      ['large.png', large],
      ['x.js', script],
    ] as const) {
      expect((await drawer.upload(`${ownerId}/${name}`, body)).error).not.toBeNull();
    }
    const headers = { ...(await site.headersOf(owner)), 'content-type': 'image/png' };
    const unannounced = { method: 'POST', headers, body: large.stream() };
    expect((await site.ask(object('pieces.png'), unannounced)).status).toBe(400);
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
      const headers = { apikey: site.keys.publishableKey, 'content-type': type };
      const answer = await site.ask(object('theirs.png'), { method: 'POST', headers, body });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ statusCode: '403', error: 'Unauthorized' });
      expect(pieces).toBeLessThan(5);
    },
  );

  test.each(['../escape.png', 'a/../../escape.png', '/etc/passwd'])(
    'The path %s does not leave the folder',
    async (path) => {
      const { error } = await drawer.upload(`${ownerId}/${path}`, png, isPng);
      const { data } = await drawer.list('');
      expect(error !== null || (data ?? []).every((each) => each.name === ownerId)).toBe(true);
    },
  );

  test.each([
    ['a Blob', () => new Blob([png], { type: 'image/png' })],
    ['a File', () => new File([png], 'photo.png', { type: 'image/png' })],
    ['bytes', () => png.buffer],
  ])('A person uploads %s and gets the same bytes back', async (what, body) => {
    const path = `${ownerId}/${what.replace(' ', '-')} u.png`;
    const up = await drawer.upload(path, body(), { ...isPng, cacheControl: '60' });
    expect([up.error, up.data?.path]).toEqual([null, path]);
    const { data } = await drawer.download(path);
    expect(data?.type).toBe('image/png');
    expect(await data?.bytes()).toEqual(png);
    expect((await drawer.upload(path, body(), isPng)).error).not.toBeNull();
    const other = new Blob(['new'], { type: 'text/plain' });
    expect((await drawer.upload(path, other, { upsert: true })).error).toBeNull();
    expect(await (await drawer.download(path)).data?.text()).toBe('new');
  });

  test.each(['POST', 'PUT'])(
    'What came in slowly (%s) takes the place of nothing that was stored meanwhile',
    async (method) => {
      const path = `${ownerId}/raced-${method}.txt`;
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
      const writer = writable.getWriter();
      const headers = {
        ...(await site.headersOf(owner)),
        'content-type': 'text/plain',
        'content-length': '7',
        'x-upsert': 'true',
      };
      const address = object(`raced-${method}.txt`);
      const slow = site.ask(address, { method, headers, body: readable });
      // Once its first bytes are read, the upload has been permitted, with no file there yet.
      await writer.write(bytes('chan'));
      await writer.write(bytes('g'));
      const meanwhile = await drawer.upload(path, 'looked at', { contentType: 'text/plain' });
      expect(meanwhile.error).toBeNull();
      await writer.write(bytes('ed'));
      await writer.close();
      expect((await slow).ok).toBe(false);
      expect(await (await drawer.download(path)).data?.text()).toBe('looked at');
    },
  );

  test('Files are listed, moved, copied and removed', async () => {
    const path = (name: string) => `${ownerId}/shelf/${name}.png`;
    await store('shelf/one.png');
    expect((await drawer.copy(path('one'), path('two'))).error).toBeNull();
    expect((await drawer.move(path('one'), path('three'))).error).toBeNull();
    // The original is gone, but both have their own copy of its content.
    for (const name of ['two', 'three']) {
      const { data } = await drawer.download(path(name));
      expect(new Uint8Array((await data?.arrayBuffer()) ?? []), name).toEqual(png);
    }
    const listed = await drawer.list(`${ownerId}/shelf`);
    expect(listed.data?.map((each) => each.name).sort()).toEqual(['three.png', 'two.png']);
    expect((await drawer.remove([path('two'), path('three')])).error).toBeNull();
    expect((await drawer.download(path('two'))).error).not.toBeNull();
    expect((await drawer.list(`${ownerId}/shelf`)).data).toEqual([]);
  });

  test('Somebody sends a few files at the same time; one more has to wait, and nobody else does', async () => {
    const other = await site.person('also-uploads@example.com');
    const headers = { ...(await site.headersOf(owner)), 'content-type': 'image/png' };
    const uploads = Array.from({ length: 5 }, (_, n) => {
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
      const address = object(`at-once-${n}.png`);
      const answer = site.ask(address, { method: 'POST', headers, body: readable });
      return {
        answer,
        finish: () =>
          void new Blob([png])
            .stream()
            .pipeTo(writable)
            .catch(() => {}),
      };
    });
    // Four requests wait for the rest of their files; the fifth gets its response right away.
    const refused = await Promise.race(uploads.map(({ answer }) => answer));
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ message: expect.stringContaining('Too many') });
    const free = other.browser.storage.from('drawer').upload(`${other.id}/free.png`, png, isPng);
    expect((await free).error).toBeNull();

    for (const { finish } of uploads) finish();
    const answers = await Promise.all(uploads.map(({ answer }) => answer));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 429]);
    expect((await drawer.upload(`${ownerId}/after.png`, png, isPng)).error).toBeNull();
  });
});

describe('A link', () => {
  test('opens a file without a key, for a minute at most', async () => {
    const path = await store('linked.png');
    const link = await linkTo(path);
    const opened = await site.ask(link);
    expect([opened.status, opened.headers.get('content-type')]).toEqual([200, 'image/png']);
    // Only this person's browser may cache it: a shared cache would keep it after the link expires.
    expect(opened.headers.get('cache-control')).toBe('private, max-age=3600');
    const swapped = await site.ask(link.replace('linked', 'private'));
    expect(swapped.status).toBeGreaterThanOrEqual(400);
    // Links are short-lived, so that people can't use one after they lose access to the file.
    expect((await drawer.createSignedUrl(path, 61)).error?.message).toMatch(/at most 60 seconds/);
    expect((await drawer.createSignedUrls([path], 3600)).error?.message).toMatch(/at most 60/);
    const many = await drawer.createSignedUrls([path], 60);
    expect(many.data?.[0]?.signedUrl).toContain('token=');
    const headers = await site.headersOf(owner);
    for (const address of ['object/%73ign', '%6fbject/sign', '%6F%62ject/%73%69%67%6e']) {
      const url = `/storage/v1/${address}/drawer/${path}`;
      const answer = await site.ask(url, { headers, json: { expiresIn: 3600 } });
      expect(answer.status).toBe(400);
      expect(await answer.text()).toContain('at most 60 seconds');
    }
  });

  test('that is for saving gives the file its own name', async () => {
    const link = await linkTo(await store('named.png'));
    const { headers, status } = await site.ask(`${link}&download=K%C3%A4se%20(1).png`);
    expect(status).toBe(200);
    expect(headers.get('content-disposition')).toBe(
      "attachment; filename*=UTF-8''K%C3%A4se%20%281%29.png",
    );
  });

  test('under which a file is stored later, or stored anew, is given to nobody', async () => {
    const path = `${ownerId}/by-link.png`;
    for (const upsert of [false, true]) {
      expect((await drawer.createSignedUploadUrl(path, { upsert })).error).not.toBeNull();
    }
    const up = await drawer.uploadToSignedUrl(path, 'a-token', new Blob([png]));
    expect(up.error).not.toBeNull();
  });

  test('to a page that someone uploaded never runs it as a page of this site', async () => {
    const path = `${ownerId}/page.html`;
    await drawer.upload(path, new Blob(['<script>alert(1)</script>'], { type: 'text/html' }));
    const { headers } = await site.ask(await linkTo(path));
    expect(headers.get('content-disposition')).toBe('attachment');
    expect(headers.get('content-security-policy')).toContain('sandbox');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('that has expired or was made up is refused, not a failure', async () => {
    const path = await store('expired.png');
    const [address, good = ''] = (await linkTo(path)).split('?token=');
    const expired = await new SignJWT({ url: `drawer/${path}` })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime(Math.floor(Date.now() / 1000) - 1)
      .sign(bytes(site.keys.jwtSecret));
    for (const token of [expired, 'abc', `${good}x`, '']) {
      const answer = await site.ask(`${address}?token=${token}`);
      expect([answer.status, await answer.json()]).toMatchObject([400, { error: 'InvalidJWT' }]);
    }
  });
});

test('Somebody whose session was ended elsewhere is told to sign in, whatever they do', async () => {
  const { browser, id } = await site.person('ended@example.com');
  await browser.storage.from('drawer').upload(`${id}/a.png`, png, isPng);
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
});

describe('What a file is', () => {
  test.each([
    ['a page as a picture', bytes('<script>alert(1)</script>'), 'image/png'],
    ['a picture as a document', png, 'application/pdf'],
    ['a program as text', new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 0, 1]), 'text/plain'],
  ])('Nobody stores %s', async (_what, body, type) => {
    const blob = new Blob([body], { type });
    for (const answer of [
      await drawer.upload(`${ownerId}/wrong`, body, { contentType: type }),
      await drawer.upload(`${ownerId}/form`, blob),
      await drawer.update(`${ownerId}/form`, blob),
    ]) {
      expect(answer.error).toMatchObject({ statusCode: '415' });
    }
    expect((await drawer.download(`${ownerId}/wrong`)).error).not.toBeNull();
  });

  test.each([
    ['right.png', png, 'image/png'],
    ['right.pdf', bytes('%PDF-1.7'), 'application/pdf'],
    ['right.txt', bytes('Größe'), 'text/plain'],
  ])('What it says it is, it may be: %s', async (name, body, contentType) => {
    expect((await drawer.upload(`${ownerId}/${name}`, body, { contentType })).error).toBeNull();
  });
});
