import type { Sql } from 'postgres';
import { type Figure, figure, median } from '../report.ts';
import { type Bench, clientOf, createMembers, now, openConversation, WARM_UP } from '../site.ts';

/** Messages in a short and a long conversation, and the budget for their ratio of opening times. */
const SHORT = 100;
const LONG = 100_000;
const TIMES = 1.3;
const OPENINGS = 80;

/** Fills a conversation with messages up to `count`, all of them read. */
async function fill(sql: Sql, id: string, authors: string[], count: number): Promise<void> {
  await sql.begin(async (tx) => {
    await tx.unsafe('alter table public.messages disable trigger user');
    await tx`
      insert into public.messages (id, conversation_id, seq, revision, author_id, body, sent_at)
      select gen_random_uuid(), ${id}, n, n, (${tx.json(authors)}::jsonb ->> (n % 2)::int)::uuid,
        'Message ' || n || '. ' || repeat('Some words of it. ', 8),
        now() - make_interval(secs => ${count} - n)
      from generate_series(1::bigint, ${count}) n`;
    await tx.unsafe('alter table public.messages enable trigger user');
    await tx`
      update public.conversations set last_seq = ${count}, revision = ${count}, last_message_at = now()
      where id = ${id}`;
    await tx`
      update public.conversation_participants set read_seq = ${count}, active_at = now()
      where conversation_id = ${id}`;
  });
}

/** Times opening a long conversation and a short one, alternately. */
export async function measureOpening(bench: Bench): Promise<Figure[]> {
  const { sql } = bench;
  const { first: reader, others } = await createMembers(bench, 3);
  const db = clientOf(bench, reader);
  const ids: string[] = [];
  for (const [n, other] of others.entries()) {
    const id = await openConversation(bench, reader, 'direct', other.id);
    await fill(sql, id, [reader.id, other.id], n === 0 ? SHORT : LONG);
    ids.push(id);
  }
  await sql`vacuum analyze`;
  const took: number[][] = [[], []];
  for (let round = -WARM_UP; round < OPENINGS; round += 1) {
    for (const [n, id] of ids.entries()) {
      const from = now();
      const { data, error } = await db.rpc('get_conversation', { p_id: id });
      if (error || data?.messages?.length !== 50) throw new Error(error?.message ?? 'No messages');
      if (round >= 0) took[n]?.push(now() - from);
    }
  }
  const [few = [], many = []] = took;
  return [
    figure(`${SHORT} messages`, median(few), 'ms'),
    figure(`${LONG.toLocaleString('en-US')} messages`, median(many), 'ms'),
    figure('many to few', median(many) / median(few), 'times', TIMES),
  ];
}
