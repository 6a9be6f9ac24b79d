import { sql } from 'kysely';
import { type Database, query } from '#backend/supabase/functions/_shared/connection.ts';
import { actAs, type BuiltPerson, idOf, queryAs } from './builders.ts';
import type { DateChange } from './dates.ts';

type Writer = 'owner' | 'member' | 'coach' | 'admin' | 'client' | 'owner2';

interface Talk {
  name: string;
  kind: 'direct' | 'engagement' | 'project' | 'support';
  /** Who began it, with whom or about what. */
  by: Writer;
  subject: (people: Record<Writer, BuiltPerson>) => string | null;
  /**
   * Who wrote, when and what: days before today and the time in Denver, or minutes before now, and after
   * `to` the place of the line that this one answers, from 0.
   */
  lines: string[];
  /** What lines said at first, by their places. */
  edited?: Record<number, string>;
  removed?: number[];
  /** How many of the last lines someone hasn't read; the others have read all. */
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
      'coach 14 08:12: Good morning, Maria. I read your results over the weekend. Before we meet on Thursday, could you write down on which day each wholesale account really pays? Not when it should. When it does.',
      'owner 14 12:40: I can ask Luis, he does the deposits. All eleven?',
      'coach 14 12:52: All eleven, the last three invoices of each. It will take him an hour, and it is the hour that matters most this month.',
      'owner 12 19:21: Done. It is worse than I thought. On average day 38, and two of them day 61. I have been baking on credit for Mesa Verde Schools for half a year.',
      'coach 12 20:05 to 3: That is the whole gap, and you found it. Please do not call them angry. Call them with an offer: two percent off when they pay within ten days.',
      'owner 12 20:11: Two percent of their invoice is most of what I earn on it.',
      'coach 12 20:26: It is $31 on a usual invoice. The overdraft cost you $46 in the same time. The template is here: https://example.org/early-payment',
      'owner 12 20:30: Send me the bank details again?',
      'owner 11 07:02: Fine. I will call both on Monday.',
      'owner 7 10:48: Mesa Verde said yes on the phone!! The other one wants to think about it.',
      'coach 7 11:03: One of two on the first call is good. Write the date down; people forget what they agreed to.',
      'coach 4 16:30: For Thursday:\n1. the forecast with what came in this week\n2. who decides about orders when you are not there\n3. whether we still need the bank',
      'owner 4 18:14 to 11: 3 is the one I lose sleep over. Can we begin with it?',
      'coach 4 18:20: Of course.',
      'owner 2 21:37: Forecast for the next 13 weeks is in the project. Lowest point is week 6 with $4,150. That is the first time in a year I know it before it happens.',
      'coach 1 08:05 to 14: Read it with my coffee. This is good work. Week 6 rests on Mesa Verde paying on day 10: what does it look like if they slip to 30?',
      'coach 95 min: And one more thing to bring on Thursday: the last three statements of the credit card. Only the totals.',
    ],
    edited: { 5: 'Two percent of there invoice is most of what I earn on it!!' },
    removed: [7],
    unread: { owner: 2 },
  },
  {
    name: 'the cash forecast',
    kind: 'project',
    by: 'owner',
    subject: () => idOf('project A cash forecast that is updated every Friday'),
    lines: [
      'owner 9 15:58: Who puts the numbers in from now on?',
      'member 9 16:10: I can, right after the deposit. Then they are never older than an hour.',
      'coach 9 17:22: Good. One person writes, one person reads it aloud. Maria reads.',
      'member 2 16:04: Numbers are in. The forecast was $212 off this week.',
      'owner 2 16:40 to 3: Two hundred and twelve! Before we had one it was six thousand.',
      'member 260 min: The low-balance alert needs both of us at the branch. Tuesday at 9 or Thursday at 2?',
    ],
    unread: { owner: 1, coach: 1 },
  },
  {
    name: 'Maria and Luis',
    kind: 'direct',
    by: 'member',
    subject: ({ owner }) => owner.id,
    lines: [
      'member 6 05:31: The big oven takes 20 minutes longer to heat since yesterday.',
      'owner 6 05:44: Start it at 3:40 then. I call the technician at eight.',
      'owner 6 09:15: He comes tomorrow between 1 and 3. Can you be there?',
      'member 6 09:20: Yes.',
      'member 5 14:02: It was the thermostat. $180, and it heats as it did.',
      'owner 5 14:30: Best $180 of the month. Thank you, Luis.',
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
      'owner 20 11:02: How do I give the bakery to somebody else for my two weeks away? Luis should be able to do everything.',
      'admin 20 13:47: He can already: members edit the business, its figures, plan and projects. Only who belongs to it stays with you, and that can wait two weeks. Have a good time!',
      'owner 20 14:10: That was easy. Thank you.',
    ],
    unread: {},
  },
  {
    name: 'support for Theo',
    kind: 'support',
    by: 'owner2',
    subject: () => null,
    lines: [
      'owner2 3 17:20: I registered the shop under the wrong postal code. Do the results change when I correct it?',
      'admin 2 09:05: No, results come from your answers alone. Correct it on the page of the business; it only decides whom you are compared with.',
      'owner2 190 min: Thanks. And can I have a coach who knows repair shops? I saw that one can ask.',
      'owner2 184 min: It need not be soon. After the winter is fine.',
    ],
    unread: { admin: 2 },
  },
  {
    name: 'coaching of Nadia',
    kind: 'engagement',
    by: 'coach',
    subject: () => idOf('engagement nadia@demo.test'),
    lines: [
      'coach 16 09:30: Welcome, Nadia. Two contractors bring most of your work: what would the week look like in which one of them stops calling?',
      'client 15 19:48: Quiet. Then scary.',
      'coach 15 20:02: That is why we look for the third now, while it is neither. List ten companies you would like to work for, and how you know them.',
      'client 3 20:15: I have seven. The other three I would have to invent.',
      'client 410 min: Also: may I show you the results of the quiz? I have not shared them yet, because sales looked so bad.',
    ],
    unread: { coach: 1 },
  },
];

/** Lets people of the demo have talked with each other for weeks, by their own procedures. */
export async function furnishMessages(
  db: Database,
  people: Record<Writer, BuiltPerson>,
): Promise<DateChange[]> {
  for (const talk of talks) await makeTalk(db, people, talk);
  return [
    ...talks.flatMap(datesOfTalk),
    // What is unread has waited since its oldest line was written.
    sql`
      update public.conversation_participants p set unread_since = u.since, unread_at = u.newest
      from (
        select q.conversation_id, q.user_id, min(m.sent_at) as since, max(m.sent_at) as newest
        from public.conversation_participants q
        join public.messages m on m.conversation_id = q.conversation_id and m.seq > q.read_seq
          and m.author_id <> q.user_id
        group by 1, 2
      ) u
      where p.conversation_id = u.conversation_id and p.user_id = u.user_id
        and p.unread_since is not null`,
  ];
}

interface Line {
  id: string;
  by: Writer;
  /** Milliseconds since 1970. */
  at: number;
  answers: string | null;
  body: string;
}

const LINE = /^(\w+) (\d+)(?: min| (\d\d:\d\d))(?: to (\d+))?: (.*)$/s;

function linesOf({ name, lines }: Talk): Line[] {
  const idAt = (place: number | string) => idOf(`message ${name} ${place}`);
  const now = Date.now();
  return lines.map((line, place) => {
    const [, by, ago, time, answers, body = ''] = LINE.exec(line) ?? [];
    const day = new Date(now - Number(ago) * 86_400_000).toISOString().slice(0, 10);
    // Never so late that it would not have happened yet.
    const at = time
      ? Math.min(Date.parse(`${day}T${time}:00-07:00`), now - 720 * 60_000)
      : now - Number(ago) * 60_000;
    return { id: idAt(place), by: by as Writer, at, answers: answers ? idAt(answers) : null, body };
  });
}

async function makeTalk(
  db: Database,
  people: Record<Writer, BuiltPerson>,
  talk: Talk,
): Promise<void> {
  const id = idOf(`conversation ${talk.name}`);
  const lines = linesOf(talk);
  await queryAs(db, people[talk.by])`
    select public.open_conversation(${id}, ${talk.kind}, ${talk.subject(people)})`;
  for (const [place, { id: message, by, answers, body }] of lines.entries()) {
    const first = talk.edited?.[place];
    await actAs(db, people[by], async () => {
      await query(db)`select public.read_messages(${id}, ${place})`;
      await query(db)`select public.send_message(${message}, ${id}, ${first ?? body}, ${answers})`;
      if (first) await query(db)`select public.edit_message(${message}, ${body})`;
      if (talk.removed?.includes(place)) await query(db)`select public.remove_message(${message})`;
    });
  }
  const readers = new Set([talk.by, ...lines.map(({ by }) => by)]);
  for (const writer of [...readers, ...(Object.keys(talk.unread) as Writer[])]) {
    const read = lines.length - (talk.unread[writer] ?? 0);
    await queryAs(db, people[writer])`select public.read_messages(${id}, ${read})`;
  }
  if (talk.draft) {
    const [writer, body] = talk.draft;
    await queryAs(db, people[writer])`select public.save_message_draft(${id}, ${body})`;
  }
}

function datesOfTalk(talk: Talk): DateChange[] {
  const id = idOf(`conversation ${talk.name}`);
  const lines = linesOf(talk);
  const began = new Date((lines[0]?.at ?? 0) - 120_000);
  let latest = 0;
  const changes = lines.map((line) => {
    latest = Math.max(line.at, latest + 60_000);
    const changed = new Date(latest + 40_000);
    return sql`
      update public.messages set
        sent_at = ${new Date(latest)},
        edited_at = case when edited_at is null then null else ${changed}::timestamptz end,
        removed_at = case when removed_at is null then null else ${changed}::timestamptz end
      where id = ${line.id}`;
  });
  return [
    ...changes,
    sql`
      update public.conversations set created_at = ${began}, last_message_at = ${new Date(latest)}
      where id = ${id}`,
    sql`
      update public.conversation_participants
      set active_at = ${new Date(latest)}, joined_at = ${began} where conversation_id = ${id}`,
  ];
}
