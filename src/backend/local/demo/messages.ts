import { type Database, query } from '#backend/supabase/functions/_shared/connection.ts';
import { actAs, type BuiltPerson, idOf } from './builders.ts';
import type { Moved } from './dates.ts';

/** Those who write in the demo. */
type Writer = 'owner' | 'member' | 'coach' | 'admin' | 'client' | 'owner2';

/** Days before today and the time of day in the mountains; or minutes before now. */
type Moment = [daysAgo: number, time: string] | number;

interface Line {
  by: Writer;
  at: Moment;
  body: string;
  /** Place of the line that this one answers, from 0. */
  answers?: number;
  /** What it said at first, before it was edited. */
  first?: string;
  /** It was taken back. */
  removed?: boolean;
}

interface Talk {
  name: string;
  kind: 'direct' | 'engagement' | 'project' | 'support';
  /** Who began it, with whom or about what. */
  by: Writer;
  subject: (people: Record<Writer, BuiltPerson>) => string | null;
  lines: Line[];
  /** How many of the last lines somebody has not read; who is not named has read all. */
  unread: Partial<Record<Writer, number>>;
  draft?: [Writer, string];
}

const talks: Talk[] = [
  {
    name: 'coaching of the bakery',
    kind: 'engagement',
    by: 'owner',
    subject: () => idOf('engagement owner@demo.test'),
    lines: [
      {
        by: 'coach',
        at: [14, '08:12'],
        body: 'Good morning, Maria. I read your results over the weekend. Before we meet on Thursday, could you write down on which day each wholesale account really pays? Not when it should. When it does.',
      },
      {
        by: 'owner',
        at: [14, '12:40'],
        body: 'I can ask Luis, he does the deposits. All eleven?',
      },
      {
        by: 'coach',
        at: [14, '12:52'],
        body: 'All eleven, the last three invoices of each. It will take him an hour, and it is the hour that matters most this month.',
      },
      {
        by: 'owner',
        at: [12, '19:21'],
        body: 'Done. It is worse than I thought. On average day 38, and two of them day 61. I have been baking on credit for Mesa Verde Schools for half a year.',
      },
      {
        by: 'coach',
        at: [12, '20:05'],
        answers: 3,
        body: 'That is the whole gap, and you found it. Please do not call them angry. Call them with an offer: two percent off when they pay within ten days.',
      },
      {
        by: 'owner',
        at: [12, '20:11'],
        body: 'Two percent of their invoice is most of what I earn on it.',
        first: 'Two percent of there invoice is most of what I earn on it!!',
      },
      {
        by: 'coach',
        at: [12, '20:26'],
        body: 'It is $31 on a usual invoice. The overdraft cost you $46 in the same time. The template is here: https://example.org/early-payment',
      },
      { by: 'owner', at: [12, '20:30'], body: 'Send me the bank details again?', removed: true },
      { by: 'owner', at: [11, '07:02'], body: 'Fine. I will call both on Monday.' },
      {
        by: 'owner',
        at: [7, '10:48'],
        body: 'Mesa Verde said yes on the phone!! The other one wants to think about it.',
      },
      {
        by: 'coach',
        at: [7, '11:03'],
        body: 'One of two on the first call is good. Write the date down; people forget what they agreed to.',
      },
      {
        by: 'coach',
        at: [4, '16:30'],
        body: 'For Thursday:\n1. the forecast with what came in this week\n2. who decides about orders when you are not there\n3. whether we still need the bank',
      },
      {
        by: 'owner',
        at: [4, '18:14'],
        answers: 11,
        body: '3 is the one I lose sleep over. Can we begin with it?',
      },
      { by: 'coach', at: [4, '18:20'], body: 'Of course.' },
      {
        by: 'owner',
        at: [2, '21:37'],
        body: 'Forecast for the next 13 weeks is in the project. Lowest point is week 6 with $4,150. That is the first time in a year I know it before it happens.',
      },
      {
        by: 'coach',
        at: [1, '08:05'],
        answers: 14,
        body: 'Read it with my coffee. This is good work. Week 6 rests on Mesa Verde paying on day 10: what does it look like if they slip to 30?',
      },
      {
        by: 'coach',
        at: 95,
        body: 'And one more thing to bring on Thursday: the last three statements of the credit card. Only the totals.',
      },
    ],
    unread: { owner: 2 },
  },
  {
    name: 'the cash forecast',
    kind: 'project',
    by: 'owner',
    subject: () => idOf('project A cash forecast that is updated every Friday'),
    lines: [
      { by: 'owner', at: [9, '15:58'], body: 'Who puts the numbers in from now on?' },
      {
        by: 'member',
        at: [9, '16:10'],
        body: 'I can, right after the deposit. Then they are never older than an hour.',
      },
      {
        by: 'coach',
        at: [9, '17:22'],
        body: 'Good. One person writes, one person reads it aloud. Maria reads.',
      },
      {
        by: 'member',
        at: [2, '16:04'],
        body: 'Numbers are in. The forecast was $212 off this week.',
      },
      {
        by: 'owner',
        at: [2, '16:40'],
        answers: 3,
        body: 'Two hundred and twelve! Before we had one it was six thousand.',
      },
      {
        by: 'member',
        at: 260,
        body: 'The low-balance alert needs both of us at the branch. Tuesday at 9 or Thursday at 2?',
      },
    ],
    unread: { owner: 1, coach: 1 },
  },
  {
    name: 'Maria and Luis',
    kind: 'direct',
    by: 'member',
    subject: ({ owner }) => owner.id,
    lines: [
      {
        by: 'member',
        at: [6, '05:31'],
        body: 'The big oven takes 20 minutes longer to heat since yesterday.',
      },
      {
        by: 'owner',
        at: [6, '05:44'],
        body: 'Start it at 3:40 then. I call the technician at eight.',
      },
      {
        by: 'owner',
        at: [6, '09:15'],
        body: 'He comes tomorrow between 1 and 3. Can you be there?',
      },
      { by: 'member', at: [6, '09:20'], body: 'Yes.' },
      {
        by: 'member',
        at: [5, '14:02'],
        body: 'It was the thermostat. $180, and it heats as it did.',
      },
      { by: 'owner', at: [5, '14:30'], body: 'Best $180 of the month. Thank you, Luis.' },
    ],
    unread: {},
    draft: ['owner', 'Luis, about Tuesday at the bank: '],
  },
  {
    name: 'support for Maria',
    kind: 'support',
    by: 'owner',
    subject: () => null,
    lines: [
      {
        by: 'owner',
        at: [20, '11:02'],
        body: 'How do I give the bakery to somebody else for my two weeks away? Luis should be able to do everything.',
      },
      {
        by: 'admin',
        at: [20, '13:47'],
        body: 'He can already: members edit the business, its figures, plan and projects. Only who belongs to it stays with you, and that can wait two weeks. Have a good time!',
      },
      { by: 'owner', at: [20, '14:10'], body: 'That was easy. Thank you.' },
    ],
    unread: {},
  },
  {
    name: 'support for Theo',
    kind: 'support',
    by: 'owner2',
    subject: () => null,
    lines: [
      {
        by: 'owner2',
        at: [3, '17:20'],
        body: 'I registered the shop under the wrong postal code. Do the results change when I correct it?',
      },
      {
        by: 'admin',
        at: [2, '09:05'],
        body: 'No, results come from your answers alone. Correct it on the page of the business; it only decides whom you are compared with.',
      },
      {
        by: 'owner2',
        at: 190,
        body: 'Thanks. And can I have a coach who knows repair shops? I saw that one can ask.',
      },
      { by: 'owner2', at: 184, body: 'It need not be soon. After the winter is fine.' },
    ],
    unread: { admin: 2 },
  },
  {
    name: 'coaching of Nadia',
    kind: 'engagement',
    by: 'coach',
    subject: () => idOf('engagement nadia@demo.test'),
    lines: [
      {
        by: 'coach',
        at: [16, '09:30'],
        body: 'Welcome, Nadia. Two contractors bring most of your work: what would the week look like in which one of them stops calling?',
      },
      { by: 'client', at: [15, '19:48'], body: 'Quiet. Then scary.' },
      {
        by: 'coach',
        at: [15, '20:02'],
        body: 'That is why we look for the third now, while it is neither. List ten companies you would like to work for, and how you know them.',
      },
      {
        by: 'client',
        at: [3, '20:15'],
        body: 'I have seven. The other three I would have to invent.',
      },
      {
        by: 'client',
        at: 410,
        body: 'Also: may I show you the results of the quiz? I have not shared them yet, because sales looked so bad.',
      },
    ],
    unread: { coach: 1 },
  },
];

/**
 * Lets people of the demo have talked with each other for weeks, by their own procedures.
 *
 * @returns what moves the dates back.
 */
export async function furnishMessages(
  db: Database,
  people: Record<Writer, BuiltPerson>,
): Promise<Moved> {
  for (const talk of talks) await makeTalk(db, people, talk);
  return async (tx) => {
    for (const talk of talks) await dateTalk(tx, talk);
    // When something began to wait is when its oldest unread line was written.
    await query(tx)`
      update public.conversation_participants p set unread_since = u.since, unread_at = u.newest
      from (
        select q.conversation_id, q.user_id, min(m.sent_at) as since, max(m.sent_at) as newest
        from public.conversation_participants q
        join public.messages m on m.conversation_id = q.conversation_id and m.seq > q.read_seq
          and m.author_id <> q.user_id
        group by 1, 2
      ) u
      where p.conversation_id = u.conversation_id and p.user_id = u.user_id
        and p.unread_since is not null`;
  };
}

const lineId = (talk: Talk, place: number) => idOf(`message ${talk.name} ${place}`);

async function makeTalk(
  db: Database,
  people: Record<Writer, BuiltPerson>,
  talk: Talk,
): Promise<void> {
  const id = idOf(`conversation ${talk.name}`);
  await actAs(
    db,
    people[talk.by],
    () => query(db)`select public.open_conversation(${id}, ${talk.kind}, ${talk.subject(people)})`,
  );
  for (const [place, line] of talk.lines.entries()) {
    const message = lineId(talk, place);
    const answers = line.answers === undefined ? null : lineId(talk, line.answers);
    await actAs(db, people[line.by], async () => {
      await query(db)`select public.read_messages(${id}, ${place})`;
      await query(
        db,
      )`select public.send_message(${message}, ${id}, ${line.first ?? line.body}, ${answers})`;
      if (line.first) await query(db)`select public.edit_message(${message}, ${line.body})`;
      if (line.removed) await query(db)`select public.remove_message(${message})`;
    });
  }
  const writers = new Set([talk.by, ...talk.lines.map(({ by }) => by), ...keysOf(talk.unread)]);
  for (const writer of writers) {
    const read = talk.lines.length - (talk.unread[writer] ?? 0);
    await actAs(db, people[writer], () => query(db)`select public.read_messages(${id}, ${read})`);
  }
  if (talk.draft) {
    const [writer, body] = talk.draft;
    await actAs(
      db,
      people[writer],
      () => query(db)`select public.save_message_draft(${id}, ${body})`,
    );
  }
}

async function dateTalk(db: Database, talk: Talk): Promise<void> {
  const id = idOf(`conversation ${talk.name}`);
  let latest = 0;
  for (const [place, line] of talk.lines.entries()) {
    latest = Math.max(momentOf(line.at), latest + 60_000);
    const at = new Date(latest);
    const changed = new Date(latest + 40_000);
    await query(db)`
      update public.messages set
        sent_at = ${at},
        edited_at = case when edited_at is null then null else ${changed}::timestamptz end,
        removed_at = case when removed_at is null then null else ${changed}::timestamptz end
      where id = ${lineId(talk, place)}`;
  }
  const began = new Date(momentOf(talk.lines[0]?.at ?? 0) - 120_000);
  await query(db)`
    update public.conversations set created_at = ${began}, last_message_at = ${new Date(latest)}
    where id = ${id}`;
  await query(db)`
    update public.conversation_participants
    set active_at = ${new Date(latest)}, joined_at = ${began} where conversation_id = ${id}`;
}

/** Milliseconds since 1970; never so late that it would not have happened yet. */
function momentOf(at: Moment): number {
  const now = Date.now();
  if (typeof at === 'number') return now - at * 60_000;
  const [daysAgo, time] = at;
  const day = new Date(now - daysAgo * 86_400_000).toISOString().slice(0, 10);
  return Math.min(Date.parse(`${day}T${time}:00-07:00`), now - 720 * 60_000);
}

const keysOf = <Key extends string>(record: Partial<Record<Key, unknown>>) =>
  Object.keys(record) as Key[];
