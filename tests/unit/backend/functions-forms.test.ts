import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GatewaySite, openSite, SITE } from './gateway-site.ts';

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

const post = (
  body: Record<string, string>,
  { name = 'contact', headers = {}, address = '192.0.2.7' } = {},
) =>
  site.ask(`/functions/v1/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(body).toString(),
    address,
  });
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
    const answer = await post({ ...message, email: 'wren', name: '"><script>x</script>' });
    expect(answer.status).toBe(422);
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
    const page = await answer.text();
    expect(page).toContain('An email address looks like name@example.com.');
    expect(page).toContain('How much is a pack?');
    expect(page).toContain('&quot;&gt;&lt;script&gt;');
    expect(page).not.toContain('<script>');
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
    const answer = await post({
      ...message,
      email: 'robot@example.test',
      website: 'https://x.test',
    });
    expect(answer.status).toBe(303);
    expect(await stored('robot@example.test')).toEqual([]);
  });

  test('from a script is answered with JSON, and too many with a sentence', async () => {
    const headers = { accept: 'application/json' };
    const wrong = await post({ ...message, message: '' }, { headers, address: '192.0.2.8' });
    expect(await wrong.json()).toEqual({
      errors: { message: 'Write what you need, in a sentence or two.' },
    });
    let last = wrong;
    for (let count = 0; count < 9; count += 1) {
      const email = `many${count}@example.test`;
      // What a caller writes of their address does not help them.
      const forged = { ...headers, 'x-forwarded-for': `198.51.100.${count}` };
      last = await post({ ...message, email }, { headers: forged, address: '192.0.2.9' });
    }
    expect(last.status).toBe(429);
    await site.sql`
      update public.rate_limits set expires_at = clock_timestamp() + interval '19 minutes 50 seconds'
      where key like 'contact:%'`;
    last = await post(message, { headers, address: '192.0.2.9' });
    expect(await last.json()).toEqual({
      errors: { '': 'That is too many at once. Try again in 20 minutes, or send us an email.' },
    });
    expect(last.headers.get('retry-after')).toMatch(/^11[6-9]\d$/);
  });

  test('takes one address, and no spelling that a mail program would read as somebody else’s', async () => {
    for (const email of ['x<ann@example.test>', 'x,ann@example.test', '(x)ann@example.test']) {
      expect((await post({ ...message, email }, { address: '192.0.2.11' })).status).toBe(422);
      const asked = await post({ email }, { name: 'newsletter', address: '192.0.2.11' });
      expect(asked.status).toBe(422);
    }
    const kept = await post(
      { ...message, email: "pat.o'brien+shop@example.test" },
      { address: '192.0.2.11' },
    );
    expect(kept.status).toBe(303);
  });

  test('with signs that no database takes is stored without them', async () => {
    const email = 'nul@example.test';
    const answer = await post(
      { ...message, email, message: 'a\0b\tc\nd' },
      { address: '192.0.2.12' },
    );
    expect(answer.status).toBe(303);
    expect(await stored(email)).toEqual(['ab\tc\nd']);
    const link = await post({ confirm: '\0' }, { name: 'newsletter', address: '192.0.2.12' });
    expect(link.status).toBe(422);
  });

  test('may have fields with the names that every object has', async () => {
    const answer = await post({ ...message, email: 'wren', constructor: 'x', __proto__x: 'y' });
    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain('name="constructor"');
  });

  test('holds few connections, however many people send at once', async () => {
    const asked = Array.from({ length: 40 }, () =>
      post({ leave: '0'.repeat(64) }, { name: 'newsletter', address: '192.0.2.13' }),
    );
    let [busy, most] = [true, 0];
    const sent = Promise.all(asked).finally(() => {
      busy = false;
    });
    while (busy) {
      const [row] = await site.sql`
        select count(*)::int as open from pg_stat_activity
        where datname = current_database() and application_name = 'postgres.js'`;
      most = Math.max(most, row?.open);
    }
    for (const answer of await sent) expect(answer.status).toBe(422);
    // What this test and the site hold stands beside the four of the functions.
    expect(most).toBeLessThan(20);
  });

  test('that is too long is not read', async () => {
    const answer = await post({ ...message, message: 'x'.repeat(40_000) });
    expect(answer.status).toBe(413);
  });
});

test('Behind a proxy that names nobody, one visitor doesn’t use up the share of all others', async () => {
  const proxy = '192.0.2.1';
  const behind = await openSite({ trustedProxies: [proxy] });
  const statuses = new Set<number>();
  for (let count = 0; count < 10; count += 1) {
    const answer = await behind.ask('/functions/v1/newsletter', {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify({ email: `unnamed${count}@example.test` }),
      address: proxy,
    });
    statuses.add(answer.status);
  }
  await behind.close();
  expect([...statuses]).toEqual([200]);
});

describe('The newsletter', () => {
  test('is confirmed from the mailbox and left by one click of a mail program', async () => {
    const json = { accept: 'application/json' };
    const asked = await post(
      { email: 'reader@example.test' },
      { name: 'newsletter', headers: json, address: '192.0.2.10' },
    );
    expect(await asked.json()).toEqual({ ok: true });
    const secretIn = async (kind: 'confirm' | 'leave') =>
      new RegExp(`#${kind}=([0-9a-f]{64})`).exec(
        (await site.letterTo('reader@example.test')).text,
      )?.[1] ?? '';
    const confirmed = await post(
      { confirm: await secretIn('confirm') },
      { name: 'newsletter', address: '192.0.2.10' },
    );
    expect(confirmed.headers.get('location')).toBe(`${SITE}/newsletter/welcome`);
    const leave = await secretIn('leave');
    const left = await site.ask(`/functions/v1/newsletter?leave=${leave}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    });
    expect(left.status).toBe(200);
    const [row] = await site.sql`
      select newsletter from public.contacts where email = 'reader@example.test'`;
    expect(row).toEqual({ newsletter: 'left' });
    const again = await post({ leave: '0'.repeat(64) }, { name: 'newsletter', headers: json });
    expect(again.status).toBe(422);
  });
});
