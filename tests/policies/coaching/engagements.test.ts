import type { TransactionSql } from 'postgres';
import { describe, expect, test } from 'vitest';
import { actAs } from '#backend/local/demo/builders.ts';
import { asPerson, type Person, within } from '../../fixtures/database.ts';
import { nobodyWrites } from '../../fixtures/nobody-writes.ts';
import {
  everyone,
  nameOf,
  prepareWorld,
  refusalOf,
  whoMay,
  whoReads,
} from '../../fixtures/personas.ts';

const world = prepareWorld();

const denied = '42501 permission denied for table engagements';

describe('Who may see and change an engagement', () => {
  test('Nobody asks for, assigns or ends coaching by writing the table', () =>
    nobodyWrites(world, 'engagements'));

  test('Only admins assign, only the owner shares', async () => {
    const { alderEngagement } = world.ids;
    const coach = world.people.otherCoach.userId;
    const code = '42501 Enter the code of your second factor first.';
    expect(
      await whoMay(
        world,
        (sql) => sql`select assign_coach(${alderEngagement}, ${coach}, 'nearer')`,
      ),
    ).toEqual(
      everyone('42501 Only an admin may do this.', {
        visitor: '42501 permission denied for function assign_coach',
        ownerWithoutCode: code,
        admin: 1,
      }),
    );
    expect(
      await whoMay(world, (sql) => sql`select set_results_shared(${alderEngagement}, true)`),
    ).toEqual(
      everyone('P0002 There is no such engagement.', {
        visitor: '42501 permission denied for function set_results_shared',
        ownerWithoutCode: code,
        owner: 1,
      }),
    );
    expect(
      await whoMay(
        world,
        (sql) =>
          sql`select request_coaching(gen_random_uuid(), ${world.ids.birch}, null, '{}', false)`,
      ),
    ).toEqual(
      everyone('42501 You do not belong to this business.', {
        visitor: '42501 permission denied for function request_coaching',
        ownerWithoutCode: code,
        otherOwner: '23505 You have already asked for a coach for this business.',
      }),
    );
  });

  test('Only the owner of an engagement withdraws it', async () => {
    const code = '42501 Enter the code of your second factor first.';
    expect(
      await whoMay(world, (sql) => sql`select withdraw_coaching(${world.ids.alderEngagement})`),
    ).toEqual(
      everyone('P0002 There is no such engagement.', {
        visitor: '42501 permission denied for function withdraw_coaching',
        ownerWithoutCode: code,
        owner: 1,
      }),
    );
    expect(
      await whoMay(world, (sql) => sql`select withdraw_coaching(${world.ids.cedarEngagement})`),
    ).toEqual(
      everyone('P0002 There is no such engagement.', {
        visitor: '42501 permission denied for function withdraw_coaching',
        ownerWithoutCode: code,
        ownerWithCode: 1,
      }),
    );
  });

  test('Owners read their engagements, coaches those assigned to them, an admin none', async () => {
    expect(await whoReads(world, 'engagements', '*', (row) => nameOf(world, row.id))).toEqual(
      everyone([], {
        visitor: denied,
        owner: ['alderEngagement'],
        otherOwner: ['birchEngagement'],
        ownerWithCode: ['cedarEngagement'],
        coach: ['alderEngagement', 'cedarEngagement'],
      }),
    );
  });

  test('A coach sees clients and, where shared, their latest result', async () => {
    const { sql, people, ids } = world;
    const clients = async (who: typeof people.coach) =>
      (await asPerson(sql, who, (tx) => tx`select coach_clients() as clients`))[0]?.clients;
    expect(await clients(people.coach)).toEqual([
      {
        engagement_id: ids.alderEngagement,
        state: 'assigned',
        business: { id: ids.alder, name: 'Alder Bakery' },
        owner: { user_id: people.owner.userId, full_name: 'Olive Owner' },
        results_shared: true,
        latest_attempt: {
          id: ids.alderResult,
          submitted_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
          overall_score: 50,
        },
      },
      {
        engagement_id: ids.cedarEngagement,
        state: 'assigned',
        business: { id: ids.cedar, name: 'Cedar Care' },
        owner: { user_id: people.ownerWithCode.userId, full_name: 'Wanda Without' },
        results_shared: false,
        latest_attempt: null,
      },
    ]);
    for (const who of [people.otherCoach, people.owner, people.admin, people.ownerWithoutCode]) {
      expect(await clients(who)).toEqual([]);
    }
  });
});

class Undo extends Error {}

/** Tries something and undoes it. */
const undone = (work: (tx: TransactionSql) => Promise<unknown>) =>
  expect(
    world.sql.begin(async (tx) => {
      await work(tx);
      throw new Undo();
    }),
  ).rejects.toBeInstanceOf(Undo);

const builtPerson = ({ userId, email }: Person) => ({ id: userId ?? '', email: email ?? '' });

const asOwner = <Result>(tx: TransactionSql, work: (tx: TransactionSql) => Promise<Result>) =>
  actAs(within(tx), builtPerson(world.people.owner), () => work(tx));

const withdraw = (tx: TransactionSql) =>
  tx`select withdraw_coaching(${world.ids.alderEngagement}) as done`.execute();

/** Puts the engagement into a state that may have no procedure yet. */
async function put(tx: TransactionSql, state: string) {
  const coach = state === 'requested' ? null : world.people.coach.userId;
  await tx`alter table public.engagements disable trigger user`;
  await tx`
    update public.engagements set state = ${state}, coach_id = ${coach},
      closed_at = ${['completed', 'unreachable', 'ineligible'].includes(state) ? new Date() : null}
    where id = ${world.ids.alderEngagement}`;
  await tx`alter table public.engagements enable trigger user`;
}

describe('The life of an engagement', () => {
  test('What asks for coaching is checked', async () => {
    const { sql, people, ids } = world;
    const ask = (areas: string[], note: string) =>
      refusalOf(
        asPerson(
          sql,
          people.colleague,
          (tx) =>
            tx`select request_coaching(gen_random_uuid(), ${ids.alder}, ${note}, ${areas}, false)`,
        ),
      );
    expect(await ask(['juggling'], '')).toBe('22023 Choose from the skill areas.');
    expect(await ask([], 'x'.repeat(2001))).toBe('22023 Keep the note to 2,000 characters.');
  });

  test('Asked twice under one id, it is one request; somebody else is refused under it', async () => {
    const { sql, people, ids } = world;
    const id = crypto.randomUUID();
    const ask = (who: typeof people.owner, business: string) =>
      asPerson(
        sql,
        who,
        (tx) => tx`select request_coaching(${id}, ${business}, 'Hi', '{}', false) as made`,
      );
    expect((await ask(people.colleague, ids.alder))[0]?.made).toEqual({ id, state: 'requested' });
    expect((await ask(people.colleague, ids.alder))[0]?.made).toEqual({ id, state: 'requested' });
    expect(await refusalOf(ask(people.otherOwner, ids.birch))).toBe(
      '23505 This request exists already.',
    );
  });

  test('A coach must be one, and not the owner', async () => {
    const { sql, people, ids } = world;
    const assign = (id: string, coach: string | null, reason = 'near') =>
      refusalOf(
        asPerson(sql, people.admin, (tx) => tx`select assign_coach(${id}, ${coach}, ${reason})`),
      );
    const notCoach = '22023 Choose somebody who is a coach.';
    expect(await assign(ids.birchEngagement, people.owner.userId)).toBe(notCoach);
    expect(await assign(ids.birchEngagement, null)).toBe(notCoach);
    expect(await assign(ids.birchEngagement, people.coach.userId, '')).toBe(
      '22023 Give a reason of 3 to 2,000 characters.',
    );
    expect(await assign(crypto.randomUUID(), people.coach.userId)).toBe(
      'P0002 There is no such engagement.',
    );
  });

  test('A request is assigned and whatever is open may be withdrawn; every other step is refused', async () => {
    const { sql, people, ids } = world;
    const states = [
      'requested',
      'assigned',
      'accepted',
      'active',
      'paused',
      'completed',
      'withdrawn',
      'unreachable',
      'ineligible',
    ];
    for (const [from, id] of [
      ['requested', ids.birchEngagement],
      ['assigned', ids.alderEngagement],
    ] as const) {
      for (const to of states) {
        const work = sql.begin(async (tx) => {
          await tx`
            update public.engagements
            set state = ${to}, coach_id = coalesce(coach_id, ${to === 'requested' ? null : people.coach.userId})
            where id = ${id}`;
          await tx`rollback`;
        });
        const taken = (from === 'requested' && to === 'assigned') || to === 'withdrawn';
        if (from === to || taken) await work;
        else {
          expect(await refusalOf(work)).toBe(
            to === 'requested'
              ? '55000 A coach is assigned to a request.'
              : `55000 The engagement cannot go from ${from} to ${to}.`,
          );
        }
      }
    }
    const stays = '55000 An engagement stays with its owner and business.';
    expect(await refusalOf(sql`update public.engagements set business_id = ${ids.birch}`)).toBe(
      stays,
    );
    expect(
      await refusalOf(sql`update public.engagements set owner_id = ${people.admin.userId}`),
    ).toBe(stays);
    expect(await refusalOf(sql`delete from public.engagements`)).toBe(
      '55000 An engagement is closed, never removed.',
    );
    expect(
      await refusalOf(
        sql`
          update public.engagements set coach_id = ${people.coach.userId}
          where id = ${ids.birchEngagement}`,
      ),
    ).toBe('55000 A coach is assigned to a request.');
    expect(
      await refusalOf(
        sql`
          insert into public.engagements (id, business_id, state)
          values (gen_random_uuid(), ${ids.birch}, 'active')`,
      ),
    ).toBe('55000 A new engagement cannot be active.');
  });

  test('Coaching that has ended is not withdrawn', async () => {
    for (const state of ['completed', 'unreachable', 'ineligible']) {
      await undone(async (tx) => {
        await put(tx, state);
        const refused = tx.savepoint((inner) => asOwner(inner, (own) => withdraw(own)));
        expect(await refusalOf(refused)).toBe('55000 This coaching has already ended.');
      });
    }
  });

  test('An owner withdraws from every open state: recorded once, and the coach is told', async () => {
    const { people, ids } = world;
    for (const state of ['requested', 'assigned', 'accepted', 'active', 'paused']) {
      await undone(async (tx) => {
        await put(tx, state);
        await tx`delete from private.jobs where kind = 'mail'`;
        const [last] = await tx`select max(id) as id from public.engagement_events`;
        // Pressed twice, or sent again after an answer was lost: it's one step.
        for (let times = 0; times < 2; times += 1) {
          const [row] = await asOwner(tx, withdraw);
          expect(row?.done).toEqual({ id: ids.alderEngagement, state: 'withdrawn' });
        }
        const events = await tx`
          select engagement_id, kind, from_state, to_state, actor_id from public.engagement_events
          where id > ${last?.id} order by id`;
        expect(events).toEqual([
          {
            engagement_id: ids.alderEngagement,
            kind: 'state_changed',
            from_state: state,
            to_state: 'withdrawn',
            actor_id: people.owner.userId,
          },
        ]);
        const closed = await tx`
          select from public.engagements
          where id = ${ids.alderEngagement} and closed_at is not null`;
        expect(closed).toHaveLength(1);
        const mails = await tx`
          select to_address, data ->> 'subject' as subject from private.mails`;
        const told = {
          to_address: people.coach.email,
          subject: 'Coaching for Alder Bakery was withdrawn',
        };
        expect(mails).toEqual(state === 'requested' ? [] : [told]);
      });
    }
  });

  test('A coach reads nothing of a client who withdrew, who can ask again', async () => {
    const { people, ids } = world;
    await undone(async (tx) => {
      const seen = async () => {
        const [row] = await actAs(
          within(tx),
          builtPerson(people.coach),
          () => tx`
            select
              (select count(*)::int from public.engagements where id = ${ids.alderEngagement}) as engagements,
              (select count(*)::int from public.businesses where id = ${ids.alder}) as businesses,
              (select count(*)::int from public.attempts where id = ${ids.alderResult}) as attempts,
              (select count(*)::int from public.area_scores where attempt_id = ${ids.alderResult}) as scores,
              jsonb_array_length(coach_clients()) as clients`,
        );
        return row;
      };
      const before = { engagements: 1, businesses: 1, attempts: 1, scores: 8, clients: 2 };
      expect(await seen()).toEqual(before);
      await asOwner(tx, withdraw);
      const after = { engagements: 0, businesses: 0, attempts: 0, scores: 0, clients: 1 };
      expect(await seen()).toEqual(after);

      const again = crypto.randomUUID();
      const [row] = await asOwner(
        tx,
        (own) => own`select request_coaching(${again}, ${ids.alder}, null, '{}', false) as made`,
      );
      expect(row?.made).toEqual({ id: again, state: 'requested' });
    });
  });

  test('A request is assigned and handed over, each step once, in the events and the audit log', async () => {
    const { sql, people, ids } = world;
    const assign = async (coach: string | null, reason: string) =>
      (
        await asPerson(
          sql,
          people.admin,
          (tx) => tx`select assign_coach(${ids.birchEngagement}, ${coach}, ${reason}) as done`,
        )
      )[0]?.done.state;
    expect(await assign(people.coach.userId, 'near')).toBe('assigned');
    expect(await assign(people.coach.userId, 'near')).toBe('assigned');
    expect(await assign(people.otherCoach.userId, 'on leave')).toBe('assigned');
    const events = await sql`
      select kind, from_state, to_state, note, actor_id from public.engagement_events
      where engagement_id = ${ids.birchEngagement} order by id`;
    const admin = people.admin.userId;
    expect(events).toEqual([
      {
        kind: 'requested',
        from_state: null,
        to_state: 'requested',
        note: null,
        actor_id: people.otherOwner.userId,
      },
      {
        kind: 'state_changed',
        from_state: 'requested',
        to_state: 'assigned',
        note: 'near',
        actor_id: admin,
      },
      {
        kind: 'coach_changed',
        from_state: 'assigned',
        to_state: 'assigned',
        note: 'on leave',
        actor_id: admin,
      },
    ]);
    const audited = await sql`
      select reason from public.audit_log
      where action = 'engagement.assign' and entity_id = ${ids.birchEngagement} order by id`;
    expect(audited.map((row) => row.reason)).toEqual(['near', 'on leave']);
  });

  test('An owner reads their own requests with the coach’s name, and nobody else’s', async () => {
    const { sql, people, ids } = world;
    const mine = async (who: Person) =>
      (await asPerson(sql, who, (tx) => tx`select my_engagements() as it`))[0]?.it as {
        id: string;
        coach_name: string | null;
      }[];
    const own = await mine(people.otherOwner);
    expect(own.map(({ id }) => id)).toEqual([ids.birchEngagement]);
    expect(own[0]?.coach_name).toEqual(expect.any(String));
    for (const who of [people.coach, people.otherCoach, people.admin]) {
      expect(await mine(who)).toEqual([]);
    }
    expect(await mine(people.ownerWithoutCode)).toEqual([]);
  });

  test('A coach whose account is gone can be replaced', async () => {
    const { sql, people, ids } = world;
    await sql`delete from auth.users where id = ${people.otherCoach.userId}`;
    const [row] = await asPerson(
      sql,
      people.admin,
      (tx) => tx`
        select assign_coach(${ids.birchEngagement}, ${people.coach.userId}, 'back') ->> 'state' as state`,
    );
    expect(row?.state).toBe('assigned');
  });

  test('A coach loses the business of an owner who deleted their account', async () => {
    const { sql, people, ids } = world;
    const seen = () =>
      asPerson(
        sql,
        people.coach,
        (tx) => tx`select id from public.businesses where id = ${ids.birch}`,
      );
    expect(await seen()).toHaveLength(1);
    await sql`delete from auth.users where id = ${people.otherOwner.userId}`;
    expect(await seen()).toEqual([]);
  });
});
