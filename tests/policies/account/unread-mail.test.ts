import { beforeEach, expect, test } from 'vitest';
import { mailJobs, type OutgoingMail } from '#backend/supabase/functions/_shared/jobs/mail.ts';
import { runDueJobs } from '#backend/supabase/functions/_shared/jobs/worker.ts';
import { renderMail } from '#backend/supabase/functions/_shared/mail/templates.ts';
import { connect } from '../../fixtures/connection.ts';
import type { Person } from '../../fixtures/database.ts';
import { openWorld } from '../../fixtures/personas.ts';
import { talksIn } from '../../fixtures/talk.ts';

const world = await openWorld();
const { sql, people, ask } = world;
const { owner, colleague, coach, admin } = people;
const { talk, direct, engagement } = await talksIn(world);

// Start each test with everything read and no email queued.
beforeEach(async () => {
  await sql`delete from private.jobs where kind = 'mail'`;
  await sql`delete from public.rate_limits`;
  await sql`delete from public.notification_settings`;
  await sql`delete from public.blocks`;
  await sql`
    update public.conversation_participants p set
      read_seq = c.last_seq, unread = 0, unread_since = null, unread_at = null, muted = false
    from public.conversations c where c.id = p.conversation_id`;
});

const brand = {
  product: 'Trellis',
  organisation: 'Example Org',
  email: 'hello@example.org',
  siteUrl: 'https://example.org',
};

/** Backdates all unread messages by this many minutes. */
const later = (minutes: number) => sql`
  update public.conversation_participants set
    unread_since = unread_since - make_interval(mins => ${minutes}),
    unread_at = unread_at - make_interval(mins => ${minutes})
  where unread_since is not null`;

const tick = () => sql`select private.mail_unread_messages() as did`;
const pass = async (minutes: number) => {
  await later(minutes);
  await tick();
};

const queued = () => sql`
  select to_address, state, data from private.mails
  where template = 'unread-messages' order by created_at`;

/** Sends the emails that are due, and returns them. */
async function send(): Promise<OutgoingMail[]> {
  const sent: OutgoingMail[] = [];
  const deliver = async (mail: OutgoingMail) => void sent.push(mail);
  await runDueJobs(world.database.db, mailJobs({ brand, deliver, keep: false }), {
    log: (line) => {
      throw new Error(line);
    },
  });
  return sent;
}

const settings = (who: Person, messages: boolean, text: boolean) =>
  ask(who, 'save_notification_settings(true, true, $1, $2)', [messages, text]);

test('Unread messages are emailed after ten quiet minutes, once', async () => {
  await talk.say(owner, direct, 'Are you there?');
  await pass(9);
  expect(await queued()).toEqual([]);
  await pass(1);
  expect(await queued()).toMatchObject([{ to_address: colleague.email, state: 'waiting' }]);
  await tick();
  await pass(120);
  expect(await queued()).toHaveLength(1);
  const [mail] = await send();
  expect(mail).toMatchObject({
    to: colleague.email,
    subject: 'A new message from Olive Owner',
  });
  expect(mail?.text).toContain('> Are you there?');
  expect(mail?.text).toContain(`https://example.org/dashboard/messages/conversations/${direct}`);
  // No message text stays behind in the outbox.
  expect(await queued()).toMatchObject([{ state: 'done', data: {} }]);
});

test('A clock that is put back delays no email', async () => {
  await talk.say(owner, direct, 'Tomorrow?');
  await later(-24 * 60);
  await tick();
  expect(await queued()).toHaveLength(1);
});

test('As long as somebody goes on writing it waits, but not longer than an hour', async () => {
  await talk.say(owner, direct, 'One');
  await later(40);
  await talk.say(owner, direct, 'Two');
  await tick();
  expect(await queued()).toEqual([]);
  await later(15);
  await talk.say(owner, direct, 'Three');
  await pass(5);
  expect(await queued()).toHaveLength(1);
  const [mail] = await send();
  expect(mail?.subject).toBe('3 new messages from Olive Owner');
});

test('One mail tells of all conversations, and the next one only of what is new', async () => {
  await talk.say(colleague, direct, 'The oven');
  await talk.say(coach, engagement, 'The forecast');
  await pass(10);
  const [mail, ...more] = await send();
  expect(more).toEqual([]);
  expect(mail).toMatchObject({ to: owner.email, subject: '2 new messages in 2 conversations' });
  for (const words of ['Cole League', '> The oven', 'Coaching: Alder Bakery', '> The forecast']) {
    expect(mail?.text).toContain(words);
  }
  await talk.say(colleague, direct, 'Is repaired');
  await pass(10);
  const [next] = await send();
  expect(next?.subject).toBe('A new message from Cole League');
  expect(next?.text).not.toContain('The oven');
});

test('Read in time, read on another device, removed: nothing is sent', async () => {
  await talk.say(owner, direct, 'Read in time');
  await ask(colleague, 'read_messages($1, 100000)', [direct]);
  await pass(10);
  expect(await queued()).toEqual([]);

  const said = await talk.say(owner, direct, 'Removed');
  await ask(owner, 'remove_message($1)', [said.id]);
  await pass(10);
  expect(await queued()).toEqual([]);
});

test('What is read between queueing and sending is dropped, and what is not stays in the mail', async () => {
  await talk.say(owner, direct, 'Read a moment later');
  await pass(10);
  expect(await queued()).toMatchObject([{ state: 'waiting' }]);
  await ask(colleague, 'read_messages($1, 100000)', [direct]);
  expect(await send()).toEqual([]);
  expect(await queued()).toMatchObject([{ state: 'dropped', data: {} }]);
  // It isn't retried.
  expect(await send()).toEqual([]);

  await talk.say(colleague, direct, 'Read in the meantime');
  await talk.say(coach, engagement, 'Still unread');
  await pass(10);
  await ask(owner, 'read_messages($1, 100000)', [direct]);
  const [mail] = await send();
  expect(mail?.subject).toBe('A new message from Carla Coach');
  expect(mail?.text).not.toContain('Read in the meantime');
});

test('An address that is theirs no more gets nothing of it', async () => {
  await talk.say(owner, direct, 'Not for the old mailbox');
  await pass(10);
  await sql`update auth.users set email = 'moved@example.test' where id = ${colleague.userId}`;
  expect(await send()).toEqual([]);
  expect(await queued()).toMatchObject([{ state: 'dropped', data: {} }]);
  await sql`update auth.users set email = ${colleague.email} where id = ${colleague.userId}`;
});

test('Whoever wants none, has muted it, blocked the writer, or has left gets none', async () => {
  const nothing = async (what: string) => {
    await pass(10);
    expect(await send(), what).toEqual([]);
    await sql`delete from private.jobs where kind = 'mail'`;
  };
  await settings(colleague, false, true);
  await talk.say(owner, direct, 'x');
  await nothing('wants none');
  await settings(colleague, true, true);
  await ask(colleague, 'set_conversation_muted($1, true)', [direct]);
  await talk.say(owner, direct, 'x');
  await nothing('muted');
  await ask(owner, 'set_person_blocked($1, true)', [coach.userId]);
  await talk.say(coach, engagement, 'x');
  await nothing('blocked');
  await ask(owner, 'set_person_blocked($1, false)', [coach.userId]);
  await talk.say(owner, engagement, 'x');
  await pass(10);
  expect(await queued()).toHaveLength(1);
  await ask(admin, 'set_staff_role($1, null, $2)', [coach.userId, 'left']);
  const subjects = (await send()).map(({ subject }) => subject);
  expect(subjects.filter((subject) => subject.includes('message'))).toEqual([]);
  await ask(admin, "set_staff_role($1, 'coach', $2)", [coach.userId, 'back']);
  await ask(admin, 'assign_coach($1, $2, $3)', [world.ids.alderEngagement, coach.userId, 'back']);
  await sql`delete from private.jobs where kind = 'mail'`;
});

test('What was muted in time is not mailed later, once the sound is on again', async () => {
  await ask(colleague, 'set_conversation_muted($1, true)', [direct]);
  await talk.say(owner, direct, 'Quietly');
  await pass(10);
  await ask(colleague, 'set_conversation_muted($1, false)', [direct]);
  await pass(120);
  expect(await send()).toEqual([]);
});

test('Two ticks at once, ten times over, mail everyone once', async () => {
  for (let round = 0; round < 10; round += 1) {
    await talk.say(owner, direct, `Round ${round}`);
    await talk.say(owner, engagement, `Round ${round}`);
    await later(10);
    await Promise.all([tick(), tick(), tick()]);
    const rows = await queued();
    expect(rows.map(({ to_address }) => to_address).toSorted(), `round ${round}`).toEqual(
      [coach.email, colleague.email].toSorted(),
    );
    await sql`delete from private.jobs where kind = 'mail'`;
  }
});

test('A tick that is killed in the middle has queued and marked nothing; the next one does both', async () => {
  await talk.say(owner, direct, 'Survives');
  await later(10);
  const doomed = connect(world.database.url, 1);
  await doomed.unsafe('begin');
  const [own] = await doomed`select private.mail_unread_messages() as did, pg_backend_pid() as pid`;
  expect(own?.did).toEqual({ mails: 1 });
  await sql`select pg_terminate_backend(${own?.pid}, 5000)`;
  await doomed.end({ timeout: 0 }).catch(() => {});
  expect(await queued()).toEqual([]);
  await tick();
  expect(await queued()).toHaveLength(1);
});

test('Senders at the same time send it once', async () => {
  await talk.say(owner, direct, 'Once');
  await pass(10);
  const sent = await Promise.all([send(), send(), send()]);
  expect(sent.flat()).toHaveLength(1);
});

test('A person who is written to at this moment is taken up by the next tick', async () => {
  await talk.say(coach, engagement, 'Earlier');
  await talk.say(colleague, direct, 'Earlier too');
  await later(10);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  const writing = sql.begin(async (tx) => {
    await tx`
      select from public.conversation_participants
      where conversation_id = ${direct} and user_id = ${owner.userId} for update`;
    reach();
    await released;
  });
  await reached;
  // It doesn't wait for locks.
  const [row] = await tick();
  expect(row?.did).toEqual({ mails: 0 });
  release();
  await writing;
  await tick();
  const [mail] = await send();
  expect(mail?.subject).toBe('2 new messages in 2 conversations');
});

test('An email leaves out the words for people who want that', async () => {
  await settings(colleague, true, false);
  await talk.say(owner, direct, 'Secret figures');
  await pass(10);
  const [mail] = await send();
  expect(mail?.subject).toBe('A new message from Olive Owner');
  expect(`${mail?.text}${mail?.html}`).not.toContain('Secret');
  expect(mail?.text).toContain('1 new message from Olive Owner.');
});

test('What a person wrote is text, whatever it looks like', async () => {
  const nasty = '<img src=x onerror=alert(1)>\n"Second" & last';
  await talk.say(owner, direct, nasty);
  await pass(10);
  const [mail] = await send();
  expect(mail?.html).not.toContain('<img');
  expect(mail?.html).toContain('&lt;img src=x onerror=alert(1)&gt;');
  expect(mail?.text).toContain('> <img src=x onerror=alert(1)>\n> "Second" & last');
});

test('A name with a line break stays one line of the subject', () => {
  const mail = renderMail(
    'unread-messages',
    {
      messages: 7,
      conversations: 6,
      with_text: true,
      talks: Array.from({ length: 5 }, (_, place) => ({
        title: `Talk ${place}`,
        messages: 2,
        authors: ['Ann\nBcc: x@example.org', 'Ben'],
        others: 2,
        path: '/dashboard/messages/conversations/x',
        said: [{ by: 'Ann', text: '', files: 2 }],
      })),
    },
    brand,
  );
  expect(mail.subject).toBe('7 new messages in 6 conversations');
  expect(mail.text).toContain('And 1 more conversation');
  expect(mail.text).toContain('And 1 more message.');
  expect(mail.text).toContain('> 2 files');
  expect(() => renderMail('unread-messages', {}, brand)).toThrow('no "talks"');
});
