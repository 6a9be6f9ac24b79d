import { afterEach, describe, expect, test, vi } from 'vitest';
import { ATTEMPTS, HttpError, http, isRepeatable, patientFetch } from '#lib/http.ts';

const SITE = 'http://127.0.0.1:4321';

/** A fetch with these results in order, then 200. A number is a status; an error is thrown. */
function network(...answers: (number | Error)[]) {
  return vi.fn(async (_input: unknown, init?: RequestInit) => {
    init?.signal?.throwIfAborted();
    const next = answers.shift();
    if (next instanceof Error) throw next;
    return new Response('{}', { status: next ?? 200 });
  });
}

const patient = (fetch: ReturnType<typeof network>) => patientFetch({ fetch, delay: () => 0 });

const LIST = `${SITE}/rest/v1/businesses`;
const LOST = new TypeError('fetch failed');

describe('A request that fails', () => {
  test.each<[string, (number | Error)[], number, number]>([
    ['is sent three times in all, and the third answer counts', [LOST, 503, 200], 200, ATTEMPTS],
    ['gives up after the third time with what it got', [502, 503, 504, 200], 504, ATTEMPTS],
    ...[400, 401, 403, 404, 409, 422, 429, 500].map(
      (status): [string, number[], number, number] => [
        `is not sent again when the answer speaks about the request: ${status}`,
        [status, 200],
        status,
        1,
      ],
    ),
  ])('%s', async (_, answers, status, times) => {
    const fetch = network(...answers);
    expect((await patient(fetch)(LIST)).status).toBe(status);
    expect(fetch).toHaveBeenCalledTimes(times);
  });

  test('throws what the third attempt threw', async () => {
    const fetch = network(...Array.from({ length: 9 }, () => LOST));
    await expect(patient(fetch)(LIST)).rejects.toThrow('fetch failed');
    expect(fetch).toHaveBeenCalledTimes(ATTEMPTS);
  });

  test('is not sent again when the server has waited before it said "not now"', async () => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(0);
    const fetch = vi.fn(async () => {
      now.mockReturnValue(9_000);
      return new Response('{}', { status: 503 });
    });
    const call = patientFetch({ fetch, delay: () => 0 });
    expect((await call(LIST)).status).toBe(503);
    expect(fetch).toHaveBeenCalledTimes(1);
  });

  test('is not sent again once it was aborted', async () => {
    const stop = new AbortController();
    const fetch = vi.fn(async () => {
      stop.abort();
      throw LOST;
    });
    const call = patientFetch({ fetch, delay: () => 0 });
    await expect(call(LIST, { signal: stop.signal })).rejects.toThrow('fetch failed');
    expect(fetch).toHaveBeenCalledTimes(1);
  });

  test('is not sent again when it is aborted while waiting', async () => {
    const stop = new AbortController();
    const fetch = network(503, 200);
    const delay = () => {
      queueMicrotask(() => stop.abort());
      return 60_000;
    };
    const call = patientFetch({ fetch, delay });
    await expect(call(LIST, { signal: stop.signal })).rejects.toThrow();
    expect(fetch).toHaveBeenCalledTimes(1);
  });

  test.each([
    ['a password', 'POST', '/auth/v1/token?grant_type=password'],
    ['a code', 'POST', '/auth/v1/verify'],
    ['a mail', 'POST', '/auth/v1/recover'],
    ['a registration', 'POST', '/auth/v1/signup'],
    ['a new password', 'PUT', '/auth/v1/user'],
    ['a function', 'POST', '/functions/v1/checkout'],
    ['a file', 'POST', '/storage/v1/object/avatars/x'],
    ['a row without an id of its own', 'POST', '/rest/v1/businesses'],
  ])('is never sent twice when it carries %s', async (_, method, path) => {
    const fetch = network(LOST, 200);
    await expect(patient(fetch)(SITE + path, { method })).rejects.toThrow('fetch failed');
    expect(fetch).toHaveBeenCalledTimes(1);
  });

  test('is sent again when doing it twice changes nothing', () => {
    const upsert = new Headers({ prefer: 'resolution=merge-duplicates,return=minimal' });
    expect(isRepeatable('GET', `${SITE}/auth/v1/user`)).toBe(true);
    expect(isRepeatable('POST', `${SITE}/rest/v1/answers`, upsert)).toBe(true);
    expect(isRepeatable('POST', `${SITE}/rest/v1/rpc/finish_attempt`)).toBe(true);
    expect(isRepeatable('PATCH', `${SITE}/rest/v1/profiles?user_id=eq.1`)).toBe(true);
  });

  test('to renew a session does not end it when the server is merely busy', async () => {
    const url = `${SITE}/auth/v1/token?grant_type=refresh_token`;
    for (const status of [429, 500]) {
      const fetch = network(status);
      expect((await patient(fetch)(url, { method: 'POST' })).status).toBe(503);
    }
    expect((await patient(network(400))(url, { method: 'POST' })).status).toBe(400);
  });
});

describe('A request that nobody answers', () => {
  /** A fetch that never responds and rejects when it's aborted. */
  const silent = () =>
    vi.fn(
      (_input: unknown, init?: RequestInit) =>
        new Promise<Response>((_, reject) => {
          if (init?.signal?.aborted) reject(init.signal.reason);
          init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
        }),
    );

  test('ends when its time is up, and is not sent again', async () => {
    const fetch = silent();
    const call = patientFetch({ fetch, timeout: 20, delay: () => 0 });
    await expect(call(LIST)).rejects.toThrow(/timeout/);
    expect(fetch).toHaveBeenCalledTimes(1);
  });

  test('has one time for all its attempts together', async () => {
    const fetch = vi.fn(async () => new Response('{}', { status: 503 }));
    const call = patientFetch({ fetch, timeout: 20, delay: () => 60_000 });
    await expect(call(LIST)).rejects.toThrow(/timeout/);
    expect(fetch).toHaveBeenCalledTimes(1);
  });

  test('ends at the deadline of the page that asks for it', async () => {
    const stop = new AbortController();
    const call = patientFetch({ fetch: silent(), signal: stop.signal });
    const asked = call(LIST);
    stop.abort(new Error('The page is due'));
    await expect(asked).rejects.toThrow('The page is due');
    await expect(call(LIST)).rejects.toThrow('The page is due');
  });
});

describe('JSON', () => {
  afterEach(() => vi.unstubAllGlobals());

  /** Stubs the browser's fetch with one response; returns the stub. */
  function answering(body: string | null, status = 200) {
    const fetch = vi.fn(async (_url: string, _init: RequestInit) => new Response(body, { status }));
    vi.stubGlobal('fetch', fetch);
    return fetch;
  }

  test('is sent and returned', async () => {
    const fetch = answering('{"stored":true}');
    const headers = { apikey: 'public' };
    const sent = http('/functions/v1/contact', { method: 'POST', body: { name: 'Ana' }, headers });
    expect(await sent).toEqual({ stored: true });
    const { method, body, headers: given } = new Request(SITE, fetch.mock.calls[0]?.[1]);
    expect([method, await new Response(body).text()]).toEqual(['POST', '{"name":"Ana"}']);
    expect(Object.fromEntries(given)).toEqual({
      accept: 'application/json',
      'content-type': 'application/json',
      apikey: 'public',
    });
  });

  test('comes with a refusal, which says why', async () => {
    answering('{"errors":{"email":"Enter an email address."}}', 422);
    const refused = await http('/functions/v1/contact', { method: 'POST', body: {} }).catch(
      (thrown: unknown) => thrown,
    );
    expect(refused).toBeInstanceOf(HttpError);
    expect(refused).toMatchObject({
      status: 422,
      data: { errors: { email: 'Enter an email address.' } },
    });
  });

  test('is undefined if the server sends something else', async () => {
    answering(null, 204);
    expect(await http('/rest/v1/rpc/submit_survey_response', { method: 'POST' })).toBeUndefined();
    answering('<!doctype html>');
    expect(await http('/app-config.json')).toBeUndefined();
  });
});
