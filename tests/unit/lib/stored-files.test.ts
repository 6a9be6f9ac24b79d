import { beforeEach, describe, expect, test, vi } from 'vitest';
import { linkToFile, uploadFile } from '#lib/files/stored-files.ts';
import { dbAnswering } from '../../fixtures/db-answering.ts';

type Answer = { status: number; body?: object } | 'lost' | 'never';

/** The requests sent, and the response that each of them gets. */
let sent: { address: string; headers: Record<string, string> }[];
let answer: Answer;

class FakeRequest extends EventTarget {
  upload = new EventTarget();
  status = 0;
  responseText = '';
  #address = '';
  #headers: Record<string, string> = {};
  open(_method: string, address: string) {
    this.#address = address;
  }
  setRequestHeader(name: string, value: string) {
    this.#headers[name] = value;
  }
  abort() {
    this.dispatchEvent(new Event('abort'));
  }
  send(body: Blob) {
    sent.push({ address: this.#address, headers: this.#headers });
    this.upload.dispatchEvent(Object.assign(new Event('progress'), { loaded: body.size }));
    if (answer === 'never') return;
    if (answer !== 'lost') {
      this.status = answer.status;
      this.responseText = JSON.stringify(answer.body ?? {});
    }
    this.dispatchEvent(new Event(answer === 'lost' ? 'error' : 'load'));
  }
}

beforeEach(() => {
  sent = [];
  answer = { status: 200 };
  const config = JSON.stringify({ supabaseUrl: 'https://api.test', publishableKey: 'key' });
  vi.stubGlobal('document', { getElementById: () => ({ textContent: config }) });
  vi.stubGlobal('XMLHttpRequest', FakeRequest);
});

const dbOf = (token: string | null, more: object = {}) =>
  dbAnswering({
    auth: { getSession: async () => ({ data: { session: token && { access_token: token } } }) },
    ...more,
  });

const upload = (signal?: AbortSignal, token: string | null = 'token') => {
  const onProgress = vi.fn();
  const done = uploadFile(dbOf(token), {
    bucket: 'project-files',
    path: 'a/b c',
    body: new Blob(['four']),
    type: 'text/plain',
    onProgress,
    signal,
  });
  return { done, onProgress };
};

describe('Sending a file', () => {
  test('goes to its path in the name of whoever is signed in, and never over another one', async () => {
    const { done, onProgress } = upload();
    await done;
    expect(sent).toEqual([
      {
        address: 'https://api.test/storage/v1/object/project-files/a/b%20c',
        headers: {
          apikey: 'key',
          authorization: 'Bearer token',
          'content-type': 'text/plain',
          'x-upsert': 'false',
        },
      },
    ]);
    expect(onProgress).toHaveBeenCalledWith(4);
  });

  test('that lies there already is done: the answer of the try before was lost', async () => {
    answer = { status: 400, body: { statusCode: '409', error: 'Duplicate' } };
    await expect(upload().done).resolves.toBeUndefined();
  });

  test.each([
    ['network', 'lost'],
    ['denied', { status: 400, body: { statusCode: '403' } }],
    ['invalid', { status: 400, body: { statusCode: '413' } }],
    ['network', { status: 503 }],
  ] as [string, Answer][])('fails as %s', async (kind, given) => {
    answer = given;
    await expect(upload().done).rejects.toMatchObject({ kind });
  });

  test('without a session sends nothing', async () => {
    await expect(upload(undefined, null).done).rejects.toMatchObject({ kind: 'signed-out' });
    expect(sent).toEqual([]);
  });

  test('stops when it is taken out on its way, and does not begin when it was before', async () => {
    answer = 'never';
    const late = new AbortController();
    const { done } = upload(late.signal);
    await vi.waitFor(() => expect(sent).toHaveLength(1));
    late.abort();
    await expect(done).rejects.toMatchObject({ kind: 'network' });
    await expect(upload(AbortSignal.abort()).done).rejects.toMatchObject({ kind: 'network' });
    expect(sent).toHaveLength(1);
  });

  test('stops when nothing has left for half a minute, however far it was', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    answer = 'never';
    const { done } = upload();
    const lost = expect(done).rejects.toMatchObject({ kind: 'network' });
    await vi.advanceTimersByTimeAsync(29_000);
    expect(sent).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1_000);
    await lost;
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });
});

test('A link saves a file under its own name, for a minute', async () => {
  const createSignedUrl = vi.fn(async (path: string) => ({
    data: { signedUrl: `https://api.test/sign/${path}?token=t` },
    error: null,
  }));
  const db = dbOf('token', { storage: { from: () => ({ createSignedUrl }) } });
  const link = new URL(await linkToFile(db, 'any', { path: 'a/b', name: 'März & co.pdf' }));
  expect(createSignedUrl).toHaveBeenCalledWith('a/b', 60);
  expect(link.searchParams.get('token')).toBe('t');
  expect(link.searchParams.get('download')).toBe('März & co.pdf');
});
