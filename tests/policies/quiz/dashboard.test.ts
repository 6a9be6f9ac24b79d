import { describe, expect, test } from 'vitest';
import { asPerson, type Person } from '../../fixtures/database.ts';
import { exampleForecast } from '../../fixtures/forecast.ts';
import { openWorld, refusalOf } from '../../fixtures/personas.ts';
import { talkIn } from '../../fixtures/talk.ts';

const world = await openWorld();
const { sql, people, ids, as, ask } = world;
const { visitor, owner, colleague, otherOwner, ownerWithoutCode, ownerWithCode } = people;
const project = crypto.randomUUID();
await asPerson(sql, owner, async (tx) => {
  await tx`select public.create_project(
    ${project}, ${ids.alder}, 'Answer every lead', p_due_on => current_date + 9)`;
  await tx`select public.add_project_task(${crypto.randomUUID()}, ${project}, 'Choose a sheet')`;
  await tx`select public.mark_tool('break-even', 'saved', true)`;
});

async function dashboard(who: Person, business: string | null) {
  return (await ask(who, 'get_home($1)', [business])).dashboard;
}

const nothing = {
  open_attempt: null,
  latest: null,
  trend: [],
  focus: [],
  coaching: null,
  session: null,
  agreed: [],
  forecast: null,
  events: [],
  tools: [],
  invitations: [],
  projects: { open: 0, items: [] },
  unread: [],
};

test('Of what is known about skills, only the parts that a page asks for are looked up', async () => {
  const whole = await ask(owner, 'get_skills($1)', [ids.alder]);
  const { latest, trend } = whole;
  expect(latest).not.toBeNull();
  expect(Object.keys(whole)).toHaveLength(10);
  expect(
    await ask(owner, 'get_skills($1, null, null, $2)', [ids.alder, ['latest', 'trend']]),
  ).toEqual({ latest, trend });
});

test('A part that is asked for a thousand times is looked up once', async () => {
  const parts = [...Array.from({ length: 1_000 }, () => 'trend'), null];
  const [row] = await as(owner)`
    select public.get_skills(${ids.alder}, null, null, ${parts})::text as often,
      public.get_skills(${ids.alder}, null, null, array['trend'])::text as once`;
  expect(row?.often).toBe(row?.once);
});

test('A coach’s first page is about today, everyone else’s is their dashboard with the news', async () => {
  expect(await refusalOf(ask(visitor, 'get_home($1)', [ids.alder]))).toMatch(/^42501 /);
  expect(await ask(people.coach, 'get_home($1)', [ids.alder])).toEqual({
    today: await ask(people.coach, 'coach_today()'),
    dashboard: null,
    news: [],
  });
  for (const who of [owner, otherOwner, people.admin]) {
    expect(await ask(who, 'get_home($1)', [ids.alder])).toEqual({
      today: null,
      dashboard: expect.objectContaining({ projects: expect.anything() }),
      news: expect.any(Array),
    });
  }
});

describe('The dashboard', () => {
  test('shows nothing of a business that is not theirs, and nothing at all to a visitor', async () => {
    for (const who of ['coach', 'otherCoach'] as const) {
      expect(await dashboard(people[who], ids.alder), who).toBeNull();
    }
    for (const who of ['otherOwner', 'admin'] as const) {
      expect(await dashboard(people[who], ids.alder), who).toEqual({
        ...nothing,
        called: expect.any(String),
      });
    }
    expect(await dashboard(owner, ids.birch)).toMatchObject({
      ...nothing,
      tools: [{ slug: 'break-even' }],
    });
    expect(await refusalOf(dashboard(visitor, ids.alder))).toMatch(/^42501 /);
  });

  test('shows nothing private before the second factor is shown', async () => {
    const empty = { today: null, dashboard: null, news: [] };
    expect(await ask(ownerWithoutCode, 'get_home($1)', [ids.cedar])).toEqual(empty);
    expect(await ask(ownerWithoutCode, 'get_skills($1)', [ids.cedar])).toEqual({
      open_attempt: null,
      attempts: { items: [], more: false },
      latest: null,
      trend: [],
      comparison: null,
      benchmark: null,
      focus: [],
      projects: [],
      coaching: null,
      reminders: true,
    });
    expect(await dashboard(ownerWithCode, ids.cedar)).toMatchObject({
      latest: { attempt: { id: ids.cedarResult } },
      open_attempt: { id: ids.cedarOpen },
    });
  });

  test('shows an owner where they stand, what is due next, and who coaches them', async () => {
    const found = await dashboard(owner, ids.alder);
    expect(found).toMatchObject({
      open_attempt: { id: ids.alderOpen, answered: 1, asked: 32 },
      latest: { attempt: { id: ids.alderResult, kind: 'full', overall_score: 50 } },
      coaching: { id: ids.alderEngagement, results_shared: true, coach_name: 'Carla Coach' },
      projects: {
        open: 1,
        items: [
          {
            id: project,
            task_count: 1,
            done_count: 0,
            next_task: { title: 'Choose a sheet', due_on: null },
          },
        ],
      },
      tools: [{ slug: 'break-even' }],
    });
    expect(
      found.latest.areas.filter((each: { recommended: number }) => each.recommended),
    ).toHaveLength(3);
  });

  test('shows a colleague the projects that they share, and not the results that they do not', async () => {
    const found = await dashboard(colleague, ids.alder);
    expect(found.projects.items).toHaveLength(1);
    expect(found).toMatchObject({ latest: null, coaching: null, tools: [], focus: [] });
  });

  test('shows the next session to its owner alone, and the forecast to those in the business', async () => {
    const next = async (who: Person) => (await dashboard(who, ids.alder))?.session ?? null;
    const session = crypto.randomUUID();
    await sql`
      insert into public.coaching_sessions
        (id, engagement_id, coach_id, starts_at, time_zone, minutes, kind)
      values
        (${crypto.randomUUID()}, ${ids.alderEngagement}, ${people.coach.userId},
          now() + interval '9 days', 'America/Denver', 60, 'online'),
        (${session}, ${ids.alderEngagement}, ${people.coach.userId},
          now() + interval '2 days', 'America/Denver', 45, 'phone'),
        (${crypto.randomUUID()}, ${ids.alderEngagement}, ${people.coach.userId},
          now() - interval '2 hours', 'America/Denver', 60, 'online')`;
    await ask(owner, 'save_worksheet($1, $2, $3, 0)', [ids.alder, 'forecast', exampleForecast()]);
    for (const who of [colleague, otherOwner, people.coach, people.otherCoach, people.admin])
      expect(await next(who)).toBeNull();
    for (const who of [otherOwner, people.admin])
      expect((await dashboard(who, ids.alder)).forecast).toBeNull();
    expect(await next(owner)).toMatchObject({ id: session, minutes: 45, kind: 'phone' });
    for (const who of [owner, colleague])
      expect((await dashboard(who, ids.alder)).forecast).toEqual(exampleForecast());
  });

  test('shows what was agreed in coaching to the owner who does it, while it is open and has a date', async () => {
    const action = (body: string, change: { doer?: string; days?: number | null }) => sql`
      insert into public.coaching_actions (id, engagement_id, body, doer, due_on)
      values (${crypto.randomUUID()}, ${ids.alderEngagement}, ${body}, ${change.doer ?? 'owner'},
        current_date + ${change.days === undefined ? 5 : change.days}::int)`;
    await action('Ask the landlord', { days: 9 });
    await action('Call the bank', { days: 1 });
    await action('Send the sheet', { doer: 'coach' });
    await action('Think about it', { days: null });
    await action('Count the flour', {});
    await sql`
      update public.coaching_actions set state = 'done', settled_at = now()
      where body = 'Count the flour'`;
    for (const who of [colleague, otherOwner, people.admin])
      expect((await dashboard(who, ids.alder)).agreed).toEqual([]);
    expect((await dashboard(owner, ids.birch)).agreed).toEqual([]);
    const { agreed } = await dashboard(owner, ids.alder);
    expect(agreed.map(({ body }: { body: string }) => body)).toEqual([
      'Call the bank',
      'Ask the landlord',
    ]);
  });

  test('shows who asks them to join, and nobody else', async () => {
    await as(owner)`select public.invite_member(
        ${crypto.randomUUID()}, ${ids.alder}, ${otherOwner.email})`;
    expect((await dashboard(otherOwner, ids.birch)).invitations).toEqual([
      expect.objectContaining({ business: 'Alder Bakery' }),
    ]);
    expect((await dashboard(owner, ids.alder)).invitations).toEqual([]);
  });

  test('shows the four projects that are due first, those without a date last, and none that is over', async () => {
    await asPerson(sql, owner, async (tx) => {
      for (const days of [20, 3, null, 12, null]) {
        await tx`select public.create_project(
          ${crypto.randomUUID()}, ${ids.alder}, ${`In ${days} days`},
          p_due_on => current_date + ${days}::int)`;
      }
    });
    const titles = async () =>
      (await dashboard(owner, ids.alder)).projects.items.map(
        ({ title }: { title: string }) => title,
      );
    expect(await titles()).toEqual(['In 3 days', 'Answer every lead', 'In 12 days', 'In 20 days']);
    await sql`alter table public.projects disable trigger user`;
    await sql`update public.projects set status = 'canceled' where title = 'In 3 days'`;
    await sql`alter table public.projects enable trigger user`;
    expect(await titles()).toEqual([
      'Answer every lead',
      'In 12 days',
      'In 20 days',
      'In null days',
    ]);
  });

  test('names the four conversations with unread messages that were active last', async () => {
    const { open, say } = talkIn(world);
    const about = await open(owner, 'project', project);
    await say(owner, about, 'Which sheet?');
    const direct = await open(owner, 'direct', colleague.userId);
    await say(owner, direct, 'Are you there?');
    await say(owner, direct, 'It’s urgent');
    expect((await dashboard(colleague, ids.alder)).unread).toEqual([
      {
        id: direct,
        title: expect.any(String),
        unread: 2,
        last_message: expect.objectContaining({ excerpt: 'It’s urgent' }),
      },
      expect.objectContaining({ id: about, title: 'Answer every lead', unread: 1 }),
    ]);
    expect((await dashboard(owner, ids.alder)).unread).toEqual([]);
    for (let more = 0; more < 4; more += 1) {
      const id = crypto.randomUUID();
      await as(owner)`select public.create_project(${id}, ${ids.alder}, ${`Project ${more}`})`;
      await say(owner, await open(owner, 'project', id), 'A question');
    }
    const { unread } = await dashboard(colleague, ids.alder);
    expect(unread).toHaveLength(4);
    expect(unread[0].title).toBe('Project 3');
  });
});
