import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { acceptClients, scheduleSession } from '../../../fixtures/coaching.ts';
import { createWorld, type World } from '../../../fixtures/personas.ts';
import { type GatewaySite, openSite } from '../gateway/site.ts';

let world: World;
let site: GatewaySite;
let path: string;
let session: string;
beforeAll(async () => {
  world = await createWorld();
  await acceptClients(world);
  session = await scheduleSession(world, 48);
  await world.ask(
    world.people.owner,
    "add_coaching_action(gen_random_uuid(), $1, 'Call five customers', 'owner', current_date + 7)",
    [world.ids.alderEngagement],
  );
  ({ path } = await world.ask(world.people.owner, 'make_calendar_feed()'));
  site = await openSite({ database: world.database });
});
afterAll(() => site.close());
beforeEach(() => site.aMinutePasses());

test.each(['', '?token=', '?token=x', `?token=${'0'.repeat(64)}`])(
  'A calendar at %j doesn’t exist',
  async (query) => {
    const answer = await site.ask(`/functions/v1/calendar${query}`);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toEqual({ message: 'This calendar doesn’t exist' });
  },
);

test('A feed is only read', async () => {
  const answer = await site.ask(path, { method: 'POST' });
  expect(answer.status).toBe(405);
  expect(answer.headers.get('allow')).toBe('GET, HEAD');
});

test('A calendar app gets sessions in UTC and due dates as whole days, without a key', async () => {
  const answer = await site.ask(path);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
  expect(answer.headers.get('cache-control')).toContain('private');
  const lines = (await answer.text()).replaceAll('\r\n ', '').split('\r\n');
  expect(lines[0]).toBe('BEGIN:VCALENDAR');
  expect(lines).toContain('METHOD:PUBLISH');
  expect(lines).toContain(`UID:session-${session}@127.0.0.1:4321`);
  expect(lines).toContain('SUMMARY:Coaching with Carla Coach');
  expect(lines).toContain('STATUS:CONFIRMED');
  expect(lines).toContain('SEQUENCE:0');
  expect(lines.filter((line) => /^DTSTART:\d{8}T\d{6}Z$/.test(line))).toHaveLength(1);
  expect(lines.filter((line) => /^DTSTART;VALUE=DATE:\d{8}$/.test(line))).toHaveLength(1);
  expect(lines).toContain('SUMMARY:Call five customers');
});

test('The same feed is the same file until something changes; a canceled session says so', async () => {
  const read = async () => (await site.ask(path)).text();
  const before = await read();
  expect(await read()).toBe(before);
  await world.ask(world.people.owner, 'cancel_session($1, null)', [session]);
  const after = await read();
  expect(after).toContain('STATUS:CANCELLED');
  expect(after).toContain('SEQUENCE:1');
});

test('Too many requests get a 429 that says how long to wait, and nothing logs the secret', async () => {
  await site.sql`
    select private.take_rate_limit(${`calendar:${world.people.owner.userId}`}, 60, interval '1 hour')
    from generate_series(1, 60)`;
  const answer = await site.ask(path);
  expect(answer.status).toBe(429);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(60);
  await site.sql`alter function private.calendar_of(text, text) rename to calendar_of_nobody`;
  const failed = await site.ask(path);
  await site.sql`alter function private.calendar_of_nobody(text, text) rename to calendar_of`;
  expect(failed.status).toBe(500);
  expect(site.logged.join()).toContain('Function calendar failed');
  expect(site.logged.join()).not.toContain(path.replace(/^.*=/, ''));
});

test('What people type is text in a calendar: no entry of its own, no line too long', async () => {
  const { ask, sql, people, ids } = world;
  const nasty = `Room 5; left, or\r\nEND:VEVENT\nBEGIN:VEVENT\rATTACH:http://evil.example ${'é'.repeat(150)}\\n`;
  await sql`delete from public.rate_limits`;
  await ask(
    people.coach,
    "schedule_session(gen_random_uuid(), $1, now() + interval '72 hours', 'America/Denver', 60, 'in_person', $2)",
    [ids.alderEngagement, nasty.slice(0, 250)],
  );
  await ask(
    people.owner,
    "add_coaching_action(gen_random_uuid(), $1, $2, 'owner', current_date + 8)",
    [ids.alderEngagement, nasty],
  );
  await sql`update public.profiles set full_name = ${'Carla\nBEGIN:VEVENT'} where user_id = ${people.coach.userId}`;
  const text = await (await site.ask(path)).text();
  expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  const lines = text.split('\r\n');
  for (const line of lines) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
  expect(lines.filter((line) => line === 'BEGIN:VEVENT')).toHaveLength(4);
  expect(lines.filter((line) => line === 'END:VEVENT')).toHaveLength(4);
  const whole = text.replaceAll('\r\n ', '').split('\r\n');
  expect(whole.filter((line) => line.startsWith('ATTACH'))).toEqual([]);
  expect(whole.find((line) => line.startsWith('LOCATION'))).toContain(
    'Room 5\\; left\\, or\\nEND:VEVENT',
  );
});
