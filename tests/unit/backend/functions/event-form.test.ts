import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type GatewaySite, openSite, SITE } from '../gateway/site.ts';

let site: GatewaySite;
beforeAll(async () => {
  site = await openSite();
  await site.sql`
    insert into public.events (slug, occasion, title, starts_at, minutes, time_zone, place, online_link, places)
    values (
      'talk', '', 'A talk', now() + interval '30 days', 60, 'America/Denver', 'Library',
      'https://meet.example.com/secret-room', 2
    )`;
});
afterAll(() => site.close());

let senders = 0;
const post = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
  site.ask('/functions/v1/event', {
    method: 'POST',
    headers,
    body: new URLSearchParams(fields),
    address: `198.51.100.${++senders}`,
  });
const signup = { event: 'talk', occasion: '', name: 'Petra Personal', wish: 'A private wish' };
const lettersTo = async (email: string) => (await site.letters()).filter(({ to }) => to === email);
const states = async () =>
  (await site.sql`select email, state from public.event_signups order by queued_at`).map(
    ({ email, state }) => `${email}: ${state}`,
  );

describe('The form for a place', () => {
  test('holds it, sends on to a page and emails nothing that was typed', async () => {
    const answer = await post({ ...signup, email: 'petra@example.test' });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `${SITE}/events/almost`]);
    expect(await states()).toEqual(['petra@example.test: held']);
    const [letter] = await lettersTo('petra@example.test');
    expect(letter?.subject).toBe('Confirm your place: A talk');
    for (const words of ['Petra', 'private wish', 'secret-room']) {
      expect(letter?.text).not.toContain(words);
      expect(letter?.html).not.toContain(words);
    }
  });

  test('answers an address that has a place like a new one', async () => {
    const again = await post({ ...signup, email: 'petra@example.test' });
    const other = await post({ ...signup, email: 'quinn@example.test' });
    const seen = async (answer: Response) => [
      answer.status,
      answer.headers.get('location'),
      await answer.text(),
    ];
    expect(await seen(again)).toEqual(await seen(other));
    expect(await states()).toEqual(['petra@example.test: held', 'quinn@example.test: held']);
  });

  test('without scripts says what to fix next to the field, with everything typed', async () => {
    const answer = await post({ ...signup, email: 'petra', name: '"><script>x</script>' });
    expect(answer.status).toBe(422);
    const page = await answer.text();
    expect(page).toContain('An email address looks like name@example.com.');
    expect(page).toContain('A private wish');
    expect(page).toContain('name="event" value="talk"');
    expect(page).not.toContain('<script>');
  });

  test('says in words why there’s no place to ask for', async () => {
    const answer = await post({ ...signup, event: 'nothing', email: 'r@example.test' });
    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain('You can’t sign up for this date here.');
    const odd = await post({ ...signup, event: '../x', email: 'r@example.test' });
    expect(odd.status).toBe(422);
  });

  test('that a robot filled in is answered alike and stored nowhere', async () => {
    const before = await states();
    const answer = await post({ ...signup, email: 'bot@example.test', website: 'https://x.test' });
    expect(answer.status).toBe(303);
    expect(await states()).toEqual(before);
  });

  test('from a page of another site is refused', async () => {
    const answer = await post(
      { ...signup, email: 's@example.test' },
      { origin: 'https://elsewhere.test' },
    );
    expect(answer.status).toBe(403);
  });
});

describe('The link of an email', () => {
  test('confirms and cancels by POST; one that’s unknown or odd says so', async () => {
    const [letter] = await lettersTo('petra@example.test');
    const secret = /\/place\/([0-9a-f]{64})/.exec(letter?.text ?? '')?.[1] ?? '';
    const confirmed = await post({ place: secret, what: 'confirm' });
    expect([confirmed.status, confirmed.headers.get('location')]).toEqual([
      303,
      `${SITE}/confirm/place/${secret}`,
    ]);
    expect((await states())[0]).toBe('petra@example.test: taken');
    const taken = (await lettersTo('petra@example.test')).find(({ subject }) =>
      subject.startsWith('You have a place'),
    );
    expect(taken?.text).toContain('https://meet.example.com/secret-room');
    for (const wrong of [
      { place: '0'.repeat(64), what: 'cancel' },
      { place: 'x', what: 'cancel' },
      { place: secret, what: 'delete' },
    ]) {
      const refused = await post(wrong);
      expect(refused.status).toBe(422);
      expect(await refused.text()).toContain('This link doesn’t work anymore.');
    }
    await post({ place: secret, what: 'cancel' });
    expect((await states())[0]).toBe('petra@example.test: canceled');
  });
});

test('Nothing about a person is in the log, not even if something fails', async () => {
  const written: string[] = [];
  const listen = vi
    .spyOn(console, 'error')
    .mockImplementation(
      (...words) => void written.push(words.map((each) => inspect(each)).join(' ')),
    );
  await site.sql`alter table public.event_signups add constraint never check (name <> 'Petra Personal') not valid`;
  const answer = await post({ ...signup, email: 'ted.private@example.test' });
  listen.mockRestore();
  await site.sql`alter table public.event_signups drop constraint never`;
  expect(answer.status).toBe(503);
  expect(written).not.toEqual([]);
  const all = [...written, ...site.logged].join('\n');
  expect(all).not.toMatch(/Petra|private|[0-9a-f]{64}|example\.test/i);
});
