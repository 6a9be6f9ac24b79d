import { sql } from 'kysely';
import { type Database, query } from '#backend/supabase/functions/_shared/connection.ts';
import { actAs, type BuiltPerson, idOf, queryAs } from './builders.ts';
import type { DateChange } from './dates.ts';

type Writer = 'owner' | 'member' | 'coach' | 'admin' | 'client' | 'owner2';

interface Talk {
  name: string;
  kind: 'direct' | 'engagement' | 'project' | 'support';
  /** Who started it; `subject` is the other person's ID, or that of the record it's about. */
  by: Writer;
  subject: (people: Record<Writer, BuiltPerson>) => string | null;
  /**
   * Who wrote what, and when: days before today and the time in Denver, or minutes before now. `to`
   * is the index of the line that this one replies to.
   */
  lines: string[];
  /** The original text of edited lines, by index. */
  edited?: Record<number, string>;
  removed?: number[];
  /** How many of the last lines someone hasn't read; everyone else has read them all. */
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
      'coach 14 08:12: Morning, Maria! I went through your results over the weekend. Before Thursday, could you write down what day each wholesale account actually pays? Not when they’re supposed to. When they do.',
      'owner 14 12:40: I’ll ask Luis, he does the deposits. All eleven?',
      'coach 14 12:52: All eleven, last three invoices each. It’ll take him an hour, and I can’t think of a better hour you’ll spend this month.',
      'owner 12 19:21: Done. It’s worse than I thought. Day 38 on average, and two of them day 61. I’ve basically been lending Mesa Verde Schools money for six months.',
      'coach 12 20:05 to 3: That’s the whole gap, and you found it. Please don’t call them angry. Call them with an offer: two percent off if they pay within ten days.',
      'owner 12 20:11: Two percent is almost a third of what I make on that invoice.',
      'coach 12 20:26: It’s $31 on a typical invoice. Your overdraft cost you $46 over the same stretch. Here’s the template: https://example.org/early-payment',
      'owner 12 20:30: Can you send me the bank info again?',
      'owner 11 07:02: OK, fine. I’ll call them both Monday.',
      'owner 7 10:48: Mesa Verde said yes, right on the phone!! The other one wants to think about it.',
      'coach 7 11:03: One out of two on the first call is great. Write the date down, though. People forget what they agreed to.',
      'coach 4 16:30: For our next session:\n1. the forecast, with what came in this week\n2. who decides about orders when you’re not there\n3. whether we still need the bank',
      'owner 4 18:14 to 11: 3 is the one keeping me up at night. Can we start with that?',
      'coach 4 18:20: Absolutely.',
      'owner 2 21:37: The 13-week forecast is in the project. Lowest point is week 6, at $4,150. First time in a year I’ve known before it happened.',
      'coach 1 08:05 to 14: Read it with my coffee. This is really good work. Week 6 depends on Mesa Verde paying on day 10. What does it look like if they slip to 30?',
      'coach 95 min: One more thing for our next session: bring your last three credit card statements. We just need the totals.',
    ],
    edited: { 5: 'Two percent is almost a third of what I make on there invoice!!' },
    removed: [7],
    unread: { owner: 2 },
  },
  {
    name: 'the cash forecast',
    kind: 'project',
    by: 'owner',
    subject: () => idOf('project A cash forecast we update every Friday'),
    lines: [
      'owner 9 15:58: Who’s putting the numbers in from now on?',
      'member 9 16:10: I can, right after the deposit. That way they’re never more than an hour old.',
      'coach 9 17:22: Perfect. One person enters them, the other reads them out loud. Maria, you read.',
      'member 2 16:04: Numbers are in. We were off by $212 this week.',
      'owner 2 16:40 to 3: Two hundred and twelve! Before we had a forecast it was six thousand.',
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
      'member 6 05:31: Since yesterday the big oven’s been taking 20 minutes longer to heat up.',
      'owner 6 05:44: OK, start it at 3:40 then. I’ll call the repair guy at eight.',
      'owner 6 09:15: He’s coming tomorrow between 1 and 3. Can you be there?',
      'member 6 09:20: Yep.',
      'member 5 14:02: It was the thermostat. $180, and it’s heating like it used to.',
      'owner 5 14:30: Best $180 we’ll spend this month. Thanks, Luis.',
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
      'owner 20 11:02: I’m away for two weeks. How do I hand the bakery over to someone while I’m gone? Luis should be able to do everything.',
      'admin 20 13:47: He already can! Members can edit the business, its figures, the plan and the projects. The only thing that stays with you is who belongs to it, and that can wait two weeks. Have a great vacation!',
      'owner 20 14:10: That was easy. Thank you!',
    ],
    unread: {},
  },
  {
    name: 'support for Theo',
    kind: 'support',
    by: 'owner2',
    subject: () => null,
    lines: [
      'owner2 3 17:20: I signed up the shop with the wrong ZIP code. Will my results change if I fix it?',
      'admin 2 09:05: Nope, your results only depend on your answers. You can fix it on the business page. We only use the ZIP to point you to help near you.',
      'owner2 190 min: Thanks. And could I get a coach who knows repair shops? I saw you can ask for that.',
      'owner2 184 min: No rush. After winter is fine.',
    ],
    unread: { admin: 2 },
  },
  {
    name: 'coaching of Nadia',
    kind: 'engagement',
    by: 'coach',
    subject: () => idOf('engagement nadia@demo.test'),
    lines: [
      'coach 16 09:30: Welcome, Nadia! Two contractors bring you most of your work. What would your week look like if one of them stopped calling?',
      'client 15 19:48: Quiet. Then scary.',
      'coach 15 20:02: That’s why we’re looking for a third one now, while it’s neither. List ten companies you’d like to work for, and how you know each of them.',
      'client 3 20:15: I’ve got seven. I’d have to make up the other three.',
      'client 410 min: Also, can I show you my quiz results? I haven’t shared them yet because sales looked so bad.',
    ],
    unread: { coach: 1 },
  },
];

/** Creates weeks of conversations among the demo's people, through the procedures they'd use. */
export async function furnishMessages(
  db: Database,
  people: Record<Writer, BuiltPerson>,
): Promise<DateChange[]> {
  for (const talk of talks) await makeTalk(db, people, talk);
  return [
    ...talks.flatMap(datesOfTalk),
    // A conversation has been unread since its oldest unread message.
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
    // A time today may not have come yet, so use 12 hours ago at the latest.
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
