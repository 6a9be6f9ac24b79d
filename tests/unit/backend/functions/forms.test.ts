import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GatewaySite, listen, openSite, SITE } from '../gateway/site.ts';

let site: GatewaySite;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

const message = {
  name: 'Wren Writer',
  email: 'wren@example.test',
  topic: 'pricing',
  message: 'How much is a pack?\n<b>Thanks</b>',
};

let senders = 0;
/** Submits a form, each time from a new IP address unless one is given. */
function post(
  fields: Record<string, string>,
  { name = 'contact', headers = {}, address = `198.51.100.${++senders}` } = {},
) {
  const body = new URLSearchParams(fields);
  return site.ask(`/functions/v1/${name}`, { method: 'POST', headers, body, address });
}
const toNewsletter = { name: 'newsletter' };
const byScript = { accept: 'application/json' };

const stored = async (email: string) =>
  (
    await site.sql`
      select m.body from public.contact_messages m join public.contacts c on c.id = m.contact_id
      where c.email = ${email}`
  ).map(({ body }) => body);

describe('A form of the public site', () => {
  test('from a page of another site is refused', async () => {
    const answer = await post(message, { headers: { origin: 'https://elsewhere.test' } });
    expect(answer.status).toBe(403);
    expect(await stored(message.email)).toEqual([]);
  });

  test('without scripts says what to mend, with everything that was typed, and stores nothing', async () => {
    const answer = await post({
      ...message,
      email: 'wren',
      name: '"><script>x</script>',
      // Every object has a `constructor`, so this field must not be mistaken for it.
      constructor: 'x',
      __proto__x: 'y',
    });
    expect(answer.status).toBe(422);
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
    const page = await answer.text();
    expect(page).toContain('An email address looks like name@example.com.');
    expect(page).toContain('How much is a pack?');
    expect(page).toContain('&quot;&gt;&lt;script&gt;');
    expect(page).not.toContain('<script>');
    expect(page).toContain('name="constructor"');
    expect(await stored('wren')).toEqual([]);
  });

  test('without scripts is stored, acknowledged and sent on to a page', async () => {
    const answer = await post(message, { headers: { origin: SITE } });
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe(`${SITE}/contact/thanks`);
    expect(await stored(message.email)).toEqual([message.message]);
    const letters = await site.letters();
    const received = letters.find(({ to }) => to === message.email);
    expect(received?.text).not.toContain('pack');
    const ours = letters.find(({ subject }) => subject.includes('Wren Writer'));
    expect(ours?.html).toContain('&lt;b&gt;Thanks');
  });

  test('that a robot filled in is answered alike and stored nowhere', async () => {
    const email = 'robot@example.test';
    const answer = await post({ ...message, email, website: 'https://x.test' });
    expect(answer.status).toBe(303);
    expect(await stored(email)).toEqual([]);
  });

  test('from a script is answered with JSON, and too many with a sentence', async () => {
    const wrong = await post({ ...message, message: '' }, { headers: byScript });
    expect(await wrong.json()).toEqual({
      errors: { message: 'Tell us what you need, in a sentence or two.' },
    });
    const address = '192.0.2.9';
    let last = wrong;
    for (let count = 0; count < 9; count += 1) {
      // A forged address doesn't get around the limit.
      const headers = { ...byScript, 'x-forwarded-for': `198.51.100.${count}` };
      last = await post({ ...message, email: `many${count}@example.test` }, { headers, address });
    }
    expect(last.status).toBe(429);
    await site.sql`
      update public.rate_limits set expires_at = clock_timestamp() + interval '19 minutes 50 seconds'
      where key like 'contact:%'`;
    last = await post(message, { headers: byScript, address });
    expect(await last.json()).toEqual({
      errors: { '': 'That’s too many at once. Try again in 20 minutes, or send us an email.' },
    });
    expect(last.headers.get('retry-after')).toMatch(/^11[6-9]\d$/);
  });

  test.each(['x<ann@example.test>', 'x,ann@example.test', '(x)ann@example.test'])(
    'takes no spelling that a mail program would read as somebody else’s address: %s',
    async (email) => {
      expect((await post({ ...message, email })).status).toBe(422);
      expect((await post({ email }, toNewsletter)).status).toBe(422);
    },
  );

  test('takes unusual letters of an address, and stores a message without what no database takes', async () => {
    const email = "pat.o'brien+shop@example.test";
    expect((await post({ ...message, email, message: 'a\0b\tc\nd' })).status).toBe(303);
    expect(await stored(email)).toEqual(['ab\tc\nd']);
    expect((await post({ confirm: '\0' }, toNewsletter)).status).toBe(422);
  });

  test('holds few connections, however many people send at the same time', async () => {
    const leave = { leave: '0'.repeat(64) };
    let [busy, most] = [true, 0];
    const sent = Promise.all(
      Array.from({ length: 40 }, () => post(leave, { ...toNewsletter, address: '192.0.2.13' })),
    ).finally(() => {
      busy = false;
    });
    while (busy) {
      const [row] = await site.sql`
        select count(*)::int as open from pg_stat_activity
        where datname = current_database() and application_name = 'postgres.js'`;
      most = Math.max(most, row?.open);
    }
    for (const answer of await sent) expect(answer.status).toBe(422);
    // The functions hold four connections. This test and the site hold the rest.
    expect(most).toBeLessThan(20);
  });

  test('that is too long is not read', async () => {
    expect((await post({ ...message, message: 'x'.repeat(40_000) })).status).toBe(413);
  });

  test('is sent and not read, over HTTP too: any other method is answered with the one that it takes', async () => {
    const server = await listen(site.gateway);
    const headers = { apikey: site.keys.publishableKey };
    for (const name of ['contact', 'newsletter', 'page-view', 'run-jobs']) {
      for (const method of ['GET', 'HEAD', 'PUT']) {
        const answer = await fetch(`${server.url}/functions/v1/${name}`, { method, headers });
        expect([name, answer.status, answer.headers.get('allow')]).toEqual([name, 405, 'POST']);
      }
    }
    await server.close();
    expect(site.logged).toEqual([]);
  });
});

test('The schedule runs with the secret key alone', async () => {
  const headers = { apikey: site.keys.publishableKey };
  const answer = await site.ask('/functions/v1/run-jobs', { method: 'POST', headers });
  expect(answer.status).toBe(403);
});

test('Behind a proxy that names nobody, one visitor doesn’t use up the share of all others', async () => {
  const address = '192.0.2.1';
  const behind = await openSite({ trustedProxies: [address] });
  for (let count = 0; count < 10; count += 1) {
    const answer = await behind.ask('/functions/v1/newsletter', {
      headers: { ...byScript, 'content-type': 'application/json' },
      json: { email: `unnamed${count}@example.test` },
      address,
    });
    expect(answer.status).toBe(200);
  }
  await behind.close();
});

test('The newsletter is confirmed from the mailbox and left by one click of a mail program', async () => {
  const email = 'reader@example.test';
  const asked = await post({ email }, { ...toNewsletter, headers: byScript });
  expect(await asked.json()).toEqual({ ok: true });
  const secretIn = async (kind: 'confirm' | 'leave') =>
    new RegExp(`#${kind}=([0-9a-f]{64})`).exec((await site.letterTo(email)).text)?.[1] ?? '';
  const confirmed = await post({ confirm: await secretIn('confirm') }, toNewsletter);
  expect(confirmed.headers.get('location')).toBe(`${SITE}/newsletter/welcome`);
  const left = await site.ask(`/functions/v1/newsletter?leave=${await secretIn('leave')}`, {
    method: 'POST',
    body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
  });
  expect(left.status).toBe(200);
  const [row] = await site.sql`select newsletter from public.contacts where email = ${email}`;
  expect(row).toEqual({ newsletter: 'left' });
});
