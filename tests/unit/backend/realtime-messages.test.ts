import { randomUUID } from 'node:crypto';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { asPerson } from '../../fixtures/database.ts';
import { createWorld, type PersonaName, type World } from '../../fixtures/personas.ts';
import { holdTokens } from '../../fixtures/token-holders.ts';
import { SITE } from './gateway-site.ts';
import { type Ear, join, openRealtimeSite, type RealtimeSite } from './realtime-site.ts';

let world: World;
let site: RealtimeSite;
/** The conversation of the owner and their coach. */
let conversation: string;
const clients: SupabaseClient[] = [];

beforeAll(async () => {
  world = await createWorld();
  site = await openRealtimeSite({
    database: world.database,
    realtimeLimits: { recheck: 300 },
  });
  conversation = await openConversation('owner', 'engagement', world.ids.alderEngagement);
});
afterAll(async () => {
  await Promise.all(clients.map((each) => each.removeAllChannels()));
  await site.close();
});

const soon = { timeout: 20_000, interval: 20 };
const idOf = (name: PersonaName) => world.people[name].userId ?? '';

/** Somebody of the world in a session of their own, with an unchanged supabase-js. */
async function enter(name: PersonaName): Promise<SupabaseClient> {
  const place = { sql: site.sql, keys: site.keys, siteUrl: SITE };
  const [holder] =
    name === 'visitor' ? [] : await holdTokens(place, [idOf(name)], world.people[name].aal);
  const db = createClient(site.url, site.keys.publishableKey, {
    accessToken: async () => holder?.token ?? null,
  });
  clients.push(db);
  await db.realtime.setAuth();
  return db;
}

async function openConversation(by: PersonaName, kind: string, subject: string): Promise<string> {
  const id = randomUUID();
  const db = await enter(by);
  const { data, error } = await db.rpc('open_conversation', {
    p_id: id,
    p_kind: kind,
    p_subject: subject,
  });
  if (error) throw error;
  return data.id;
}

async function topicOf(kind: 'conversation' | 'typing', id = conversation): Promise<string> {
  const [row] = await site.sql`select epoch from public.conversations where id = ${id}`;
  return `${kind}:${id}:${row?.epoch}`;
}

async function send(db: SupabaseClient, body: string): Promise<string> {
  const id = randomUUID();
  const { error } = await db.rpc('send_message', {
    p_id: id,
    p_conversation_id: conversation,
    p_body: body,
  });
  if (error) throw error;
  return id;
}

const events = ({ heard }: Ear) => heard.map(({ event }) => event);
const shown = (ear: Ear) => Object.keys(ear.channel.presenceState()).sort();
async function expectRefused(db: SupabaseClient, topic: string): Promise<void> {
  const { states, reasons } = await join(db, topic);
  expect(states[0], topic).toBe('CHANNEL_ERROR');
  expect(reasons[0], topic).toContain('Unauthorized');
}

test('Nobody joins a channel of others: not a visitor, a stranger, or a coach of somebody else', async () => {
  const topics = [
    await topicOf('conversation'),
    await topicOf('typing'),
    `person:${idOf('owner')}`,
    `presence:${idOf('owner')}`,
  ];
  for (const name of ['visitor', 'otherOwner', 'otherCoach'] as const) {
    const db = await enter(name);
    for (const topic of topics) await expectRefused(db, topic);
  }
  // An admin neither: support is where they take part.
  const admin = await enter('admin');
  for (const topic of topics.slice(0, 3)) await expectRefused(admin, topic);
  // Their coach sees whether they are here, and hears nothing that is theirs alone.
  await expectRefused(await enter('coach'), `person:${idOf('owner')}`);
});

test('Whoever owes the code of their app joins nothing until they have shown it', async () => {
  const own = `person:${idOf('ownerWithCode')}`;
  await expectRefused(await enter('ownerWithoutCode'), own);
  expect((await join(await enter('ownerWithCode'), own)).states).toEqual(['SUBSCRIBED']);
});

test('A past or made-up epoch of one’s own conversation is refused', async () => {
  const owner = await enter('owner');
  const topic = await topicOf('conversation');
  const [, id, epoch] = topic.split(':');
  for (const wrong of [Number(epoch) - 1, Number(epoch) + 1, '', '01', `${epoch} `]) {
    await expectRefused(owner, `conversation:${id}:${wrong}`);
  }
  expect((await join(owner, topic)).states).toEqual(['SUBSCRIBED']);
});

test('What one writes is on the other’s screen, and on their own channel wherever they are', async () => {
  const [owner, coach] = [await enter('owner'), await enter('coach')];
  const open = await join(coach, await topicOf('conversation'));
  const own = await join(coach, `person:${idOf('coach')}`);
  const id = await send(owner, 'Shall we meet on Friday?');
  await vi.waitFor(() => expect(open.heard).toHaveLength(1), soon);
  expect(open.heard[0]).toMatchObject({
    event: 'message',
    payload: { message: { id, body: 'Shall we meet on Friday?', author_id: idOf('owner') } },
  });
  await vi.waitFor(
    () =>
      expect(own.heard.at(-1)).toMatchObject({
        event: 'conversation',
        payload: { id: conversation, unread: 1 },
      }),
    soon,
  );
});

test('The database alone speaks in a conversation; people tell each other that they type', async () => {
  const [owner, coach] = [await enter('owner'), await enter('coach')];
  const loud = { private: true, broadcast: { ack: true } };
  const open = await join(coach, await topicOf('conversation'));
  const forged = await join(owner, await topicOf('conversation'), loud);
  const words = { event: 'message', payload: { message: { body: 'I never wrote this' } } };
  expect(await forged.channel.send({ type: 'broadcast', ...words })).toBe('error');
  const own = await join(coach, `person:${idOf('coach')}`, loud);
  expect(await own.channel.send({ type: 'broadcast', ...words })).toBe('error');

  const ear = await join(coach, await topicOf('typing'));
  const typing = await join(owner, await topicOf('typing'), loud);
  const payload = { person_id: idOf('owner') };
  expect(await typing.channel.send({ type: 'broadcast', event: 'typing', payload })).toBe('ok');
  await vi.waitFor(() => expect(ear.heard).toEqual([{ event: 'typing', payload }]), soon);
  expect(open.heard).toEqual([]);
});

test('A person says that they are here, whom they may write to sees it, and nobody says it for them', async () => {
  const [owner, coach] = [await enter('owner'), await enter('coach')];
  const topic = `presence:${idOf('owner')}`;
  const config = (name: PersonaName) => ({ private: true, presence: { key: idOf(name) } });
  const ear = await join(coach, topic, config('coach'));
  const own = await join(owner, topic, config('owner'));
  expect(await own.channel.track({ person_id: idOf('owner') })).toBe('ok');
  await vi.waitFor(() => expect(shown(ear)).toEqual([idOf('owner')]), soon);
  expect(await ear.channel.track({ person_id: idOf('owner') })).toBe('error');
  await owner.realtime.disconnect();
  await vi.waitFor(() => expect(shown(ear)).toEqual([]), soon);
  // Admins see it once they have a thread with them.
  await expectRefused(await enter('admin'), topic);
  await openConversation('owner', 'support', idOf('owner'));
  expect((await join(await enter('admin'), topic)).states).toEqual(['SUBSCRIBED']);
});

test('A session that was ended joins nothing more, and the channels it has end', async () => {
  const colleague = await enter('colleague');
  const own = await join(colleague, `person:${idOf('colleague')}`);
  expect(own.states).toEqual(['SUBSCRIBED']);
  await site.sql`delete from auth.sessions where user_id = ${idOf('colleague')}`;
  await vi.waitFor(() => expect(own.states.at(-1)).toBe('CLOSED'), soon);
  const again = await join(colleague, `presence:${idOf('colleague')}`);
  expect(again.states[0]).toBe('CHANNEL_ERROR');
  expect(again.reasons[0]).toContain('InvalidJWTToken');
});

test('Nobody types in the name of somebody else', async () => {
  const [owner, coach] = [await enter('owner'), await enter('coach')];
  const topic = await topicOf('typing');
  const ear = await join(coach, topic);
  const { channel } = await join(owner, topic, { private: true, broadcast: { ack: true } });
  const payload = { person_id: idOf('coach') };
  const own = { event: 'typing', payload: { person_id: idOf('owner') } };
  expect(await channel.send({ type: 'broadcast', event: 'typing', payload })).toBe('ok');
  await vi.waitFor(() => expect(ear.heard).toEqual([own]), soon);
});

test('A coach who was replaced hears nothing more within seconds, and the new one from then on', async () => {
  const [owner, coach, next] = [
    await enter('owner'),
    await enter('coach'),
    await enter('otherCoach'),
  ];
  const past = await topicOf('conversation');
  const before = await join(coach, past);
  const owners = await join(owner, past);
  const presence = await join(coach, `presence:${idOf('owner')}`);
  await asPerson(
    site.sql,
    world.people.admin,
    (tx) => tx`select assign_coach(${world.ids.alderEngagement}, ${idOf('otherCoach')}, 'nearer')`,
  );
  for (const ear of [before, owners, presence]) {
    await vi.waitFor(() => expect(ear.states.at(-1)).toBe('CLOSED'), soon);
  }
  const topic = await topicOf('conversation');
  expect(topic).not.toBe(past);
  for (const name of [past, topic, await topicOf('typing')]) await expectRefused(coach, name);
  await expectRefused(owner, past);
  const ears = [await join(owner, topic), await join(next, topic)];
  await send(owner, 'Welcome!');
  for (const ear of ears) {
    await vi.waitFor(() => expect(events(ear)).toEqual(['message']), soon);
  }
  expect(events(before)).not.toContain('message');
});
