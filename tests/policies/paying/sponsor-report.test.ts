import { expect, test } from 'vitest';
import { createPerson } from '#backend/local/demo/builders.ts';
import { createAttempt, openWorld, refusalOf, whoReads } from '../../fixtures/personas.ts';

const world = await openWorld();
const { sql, people, ids, ask } = world;
const { admin, sponsor } = people;

type Entries = Record<string, { label: string; value: string }>;
/** A reading: for each group, what each business adds to it. */
type Reading = Record<string, Record<string, string>>;

/** A generator of random numbers from 0 to 1, the same in every run. */
function randomFrom(seed: number) {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) % 4294967296;
    return state / 4294967296;
  };
}

const newProgram = async (groupsBy = 'postal') => {
  const id = crypto.randomUUID();
  await ask(
    admin,
    `give_program($1, 'Random', 'County', 40, 4, current_date, current_date + 364, 'test')`,
    [id],
  );
  await sql`update public.programs set groups_by = ${groupsBy} where id = ${id}`;
  return id;
};

const readingsOf = async (program: string, figure: string): Promise<Reading[]> =>
  (
    await sql<{ entries: Reading }[]>`
      select entries from private.program_readings
      where program_id = ${program} and figure = ${figure} order by version`
  ).map(({ entries }) => entries);

/** Every set of groups that somebody could add up, by the names of the groups. */
function unionsOf(reading: Reading): [groups: string, union: Record<string, string>][] {
  const groups = Object.keys(reading);
  return Array.from({ length: 2 ** groups.length - 1 }, (_, index) => {
    const chosen = groups.filter((_group, bit) => ((index + 1) >> bit) & 1);
    return [chosen.join(), Object.assign({}, ...chosen.map((group) => reading[group]))];
  });
}
/** How many aren't the same in both; `missing` is what someone adds who isn't in one. */
const differing = (one: Record<string, string>, other: Record<string, string>, missing?: string) =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(
    (key) => (one[key] ?? missing) !== (other[key] ?? missing),
  ).length;

test('No two readings of a random program, added up and subtracted, say anything about one to four businesses', async () => {
  const random = randomFrom(7);
  let compared = 0;
  for (let run = 0; run < 25; run++) {
    const program = await newProgram();
    const labels = ['871', '870', '875', '873', '880'].slice(0, 1 + Math.floor(random() * 5));
    const businesses: Entries = {};
    let next = 0;
    for (let night = 0; night < 25; night++) {
      for (let change = Math.floor(random() * 8); change > 0; change--) {
        const keys = Object.keys(businesses);
        const key = keys[Math.floor(random() * keys.length)];
        const dice = random();
        if (!key || dice < 0.5) {
          const label = labels[Math.floor(random() ** 2 * labels.length)] ?? '871';
          businesses[`b${next++}`] = {
            label,
            value: String(Math.floor(random() * 3)),
          };
        } else if (dice < 0.6) delete businesses[key];
        else
          businesses[key] = {
            // Some have moved, too.
            label: labels[Math.floor(random() * labels.length)] ?? '871',
            value: String(Math.floor(random() * 3)),
          };
      }
      if (Object.keys(businesses).length > 0) {
        await sql`select private.read_figure(${program}, 'sessions', ${sql.json(businesses)})`;
      }
    }
    const readings = await readingsOf(program, 'sessions');
    readings.forEach((reading, index) => {
      // Nobody is in two groups, so the groups add up to the total.
      const counted = Object.values(reading).flatMap((group) => Object.keys(group));
      expect(new Set(counted).size).toBe(counted.length);
      for (const [, one] of unionsOf(reading))
        expect(Object.keys(one).length).toBeGreaterThanOrEqual(5);
      for (const earlier of readings.slice(0, index)) {
        for (const [groups, one] of unionsOf(reading)) {
          for (const [earlierGroups, other] of unionsOf(earlier)) {
            const changed = [differing(one, other)];
            // In a sum, someone who isn't in it is the same as someone who adds nothing.
            if (groups === earlierGroups) changed.push(differing(one, other, '0'));
            for (const count of changed)
              expect(count === 0 || count >= 5, JSON.stringify({ one, other })).toBe(true);
            compared++;
          }
        }
      }
    });
  }
  expect(compared).toBeGreaterThan(500);
}, 120_000);

test('Small groups are put together until each has five, and the groups add up', async () => {
  const program = await newProgram();
  const entries: Entries = {};
  const add = (label: string, count: number) => {
    for (let number = 0; number < count; number++)
      entries[`${label}-${number}`] = { label, value: '2' };
  };
  add('871', 14);
  add('870', 7);
  add('875', 4);
  await sql`select private.read_figure(${program}, 'sessions', ${sql.json(entries)})`;
  const [row] = await sql`select private.figure_json(${program}, 'sessions') as figure`;
  expect(row?.figure).toMatchObject({ value: 50 });
  expect(row?.figure.groups).toEqual([
    { value: 28, labels: ['871'] },
    { value: 22, labels: ['870', '875'] },
  ]);
});

test('A business that moves stays in its group, so the groups still add up to the total', async () => {
  const program = await newProgram();
  const entries: Entries = {};
  for (const label of ['870', '871', '875'])
    for (let number = 0; number < 6; number++)
      entries[`${label}-${number}`] = { label, value: '2' };
  await sql`select private.read_figure(${program}, 'sessions', ${sql.json(entries)})`;
  // One moves to another area, where five others change, so that its group is read again.
  entries['870-0'] = { label: '871', value: '9' };
  for (let number = 0; number < 5; number++)
    entries[`871-${number}`] = { label: '871', value: '3' };
  await sql`select private.read_figure(${program}, 'sessions', ${sql.json(entries)})`;
  const [row] = await sql`select private.figure_json(${program}, 'sessions') as figure`;
  const sum = row?.figure.groups.reduce(
    (all: number, { value }: { value: number }) => all + value,
    0,
  );
  expect(row?.figure.groups.map(({ value }: { value: number }) => value)).toContain(17);
  expect(row?.figure.value).toBe(sum);
});

test('A new area isn’t named until the group it’s in changes by five', async () => {
  const program = await newProgram();
  const entries: Entries = {};
  const add = (label: string, count: number) => {
    for (let number = 0; number < count; number++)
      entries[`${label}-${number}`] = { label, value: '2' };
  };
  add('871', 8);
  add('870', 7);
  const labelsAfter = async () => {
    await sql`select private.read_figure(${program}, 'sessions', ${sql.json(entries)})`;
    const [row] = await sql`select private.figure_json(${program}, 'sessions') as figure`;
    return row?.figure.groups.map(({ labels }: { labels: string[] }) => labels);
  };
  expect(await labelsAfter()).toEqual([['871'], ['870']]);
  add('880', 1);
  expect(await labelsAfter()).toEqual([['871'], ['870']]);
  add('870', 11);
  expect(await labelsAfter()).toEqual([['871'], ['870', '880']]);
});

test('Sessions that one to four businesses had aren’t shown, and neither is the total that would give them away', async () => {
  const program = await newProgram();
  const entries: Entries = {};
  for (let number = 0; number < 6; number++) {
    entries[`few-${number}`] = { label: '870', value: number < 2 ? '3' : '0' };
    entries[`many-${number}`] = { label: '871', value: '2' };
  }
  await sql`select private.read_figure(${program}, 'sessions', ${sql.json(entries)})`;
  const [row] = await sql`select private.figure_json(${program}, 'sessions') as figure`;
  expect(row?.figure).toMatchObject({
    value: null,
    groups: [
      { value: null, labels: ['870'] },
      { value: 12, labels: ['871'] },
    ],
  });
  const [alone] = await sql`
    select private.figure_value('sessions', '{"a":"9","b":"1","c":"1","d":"1","e":"1"}') as most,
      private.figure_value('sessions', '{"a":"0","b":"0","c":"0","d":"0","e":"0"}') as none`;
  expect(alone).toEqual({ most: { value: null }, none: { value: 0 } });
});

test('A count that would say something about one to four businesses isn’t shown', async () => {
  const rows = await sql`
    select c, private.safe_count(c, 25) as shown from unnest(array[0, 1, 4, 5, 20, 21, 24, 25]) as c`;
  expect(rows.filter(({ shown }) => shown !== null).map(({ c }) => c)).toEqual([0, 5, 20, 25]);
  const [row] =
    await sql`select private.figure_value('jobs', '{"a":"9","b":"1","c":"1","d":"1","e":"1"}') as jobs,
    private.figure_value('sales', '{"a":"300000","b":"330000","c":"-100000","d":"100000","e":"100000"}') as sales`;
  // Where one business is most of it, it would be that business's figure. Sales are in thousands.
  expect(row).toEqual({
    jobs: { at_least: 5, value: null },
    sales: { at_least: 5, value: 700_000 },
  });
});

/** Owners with a seat, in two postal areas, who took the quiz twice. */
async function fill(count: number) {
  const made: { userId: string; business: string; seat: string }[] = [];
  const id = crypto.randomUUID();
  const { codes } = await ask(sponsor, 'create_seat_code($1, $2, 20)', [id, ids.program]);
  for (let number = 0; number < count; number++) {
    const email = `${crypto.randomUUID()}@example.test`;
    const { id: userId } = await createPerson(world.database.db, {
      email,
      fullName: `Name ${number}`,
      businessName: `Secret ${number}`,
    });
    const who = { userId, email, role: 'authenticated' as const };
    const [row] =
      await sql`select business_id from public.business_members where user_id = ${userId}`;
    const business = row?.business_id;
    await sql`update public.businesses set postal_code = ${number % 2 ? '87102' : '87501'} where id = ${business}`;
    const { seat_id } = await ask(who, 'take_seat($1, 1, true, $2)', [business, codes[0].code]);
    for (const value of [1, 3]) {
      const attempt = await createAttempt(sql, who, {
        quiz: world.quiz,
        business,
        value,
      });
      await sql`update public.attempts set submitted_at = submitted_at + make_interval(secs => ${value}) where id = ${attempt}`;
    }
    for (const [day, jobs] of [
      ['2025-01-01', 2],
      ['2026-01-01', 3 + (number % 3)],
    ] as const) {
      await ask(who, 'add_snapshot(gen_random_uuid(), $1, $2, $3, 0, null, null, null)', [
        business,
        day,
        jobs,
      ]);
    }
    made.push({ userId, business, seat: seat_id });
  }
  return made;
}

test('A sponsor of ten businesses sees totals, groups of five, and nothing of any one', async () => {
  const owners = await fill(10);
  await sql`select private.read_programs()`;
  const program = await ask(sponsor, 'get_program($1)', [ids.program]);
  expect(program.figures).toMatchObject({
    joined: {
      businesses: 10,
      groups: [
        { businesses: 5, labels: ['871'] },
        { businesses: 5, labels: ['875'] },
      ],
    },
    asked: 0,
    started: 0,
    finished: 0,
    sessions: { value: 0 },
    overall: { first: 25, latest: 75, change: 50, at_least: 10 },
    jobs: { value: 19 },
    survey: null,
  });
  expect(program.figures.skills).toHaveLength(8);
  const seen = JSON.stringify(program);
  for (const { userId, business, seat } of owners) {
    for (const id of [userId, business, seat]) expect(seen).not.toContain(id);
  }
  expect(seen).not.toMatch(/Secret|Name \d/);
  // What an owner is shown before agreeing is exactly that.
  const [own] = await sql`select private.program_figures(${ids.program}) as figures`;
  expect(own?.figures).toEqual(program.figures);

  // One withdraws: nothing changes until five have.
  const [first] = owners;
  const who = { userId: first?.userId ?? '', role: 'authenticated' as const };
  await ask(who, 'stop_counting($1)', [first?.seat]);
  await sql`select private.read_programs()`;
  expect((await ask(sponsor, 'get_program($1)', [ids.program])).figures).toEqual(program.figures);
  await fill(6);
  await sql`select private.read_programs()`;
  const later = await ask(sponsor, 'get_program($1)', [ids.program]);
  const entries = (await readingsOf(ids.program, 'joined')).at(-1);
  const counted = Object.values(entries ?? {}).flatMap((group) => Object.keys(group));
  expect(later.figures.joined.businesses).toBe(counted.length);
});

test('Two programs with almost the same businesses can’t be subtracted from each other', async () => {
  const owners = await fill(6);
  const read = async (count: number) => {
    const program = await newProgram('none');
    for (const [number, { userId, business }] of owners.slice(0, count).entries()) {
      await sql`
        update public.seats set state = 'assigned' where program_id = ${program} and number = ${number + 1}`;
      await sql`
        update public.seats set state = 'activated', business_id = ${business}, owner_id = ${userId},
          activated_at = now(), consent_version = 1, shares_figures = true
        where program_id = ${program} and number = ${number + 1}`;
    }
    await sql`select private.read_program(${program})`;
    const [row] = await sql`select private.program_figures(${program}) as figures`;
    return row?.figures;
  };
  expect(await read(5)).toMatchObject({
    joined: { businesses: 5 },
    jobs: { at_least: 5 },
  });
  // One business more: its jobs would be the difference.
  expect(await read(6)).toMatchObject({
    joined: { businesses: 6 },
    jobs: null,
    overall: null,
    skills: [],
  });
});

test('A report is kept for good, once each half-year, and its sponsors hear of it', async () => {
  await sql`update public.programs set starts_on = current_date - 300, ends_on = current_date + 60 where id = ${ids.program}`;
  await sql`select private.read_programs()`;
  await sql`select private.read_programs()`;
  const { reports } = await ask(sponsor, 'get_program($1)', [ids.program]);
  expect(reports).toHaveLength(1);
  const told =
    await sql`select from public.notifications where user_id = ${sponsor.userId} and key like 'report:%'`;
  expect(told.count).toBe(1);
  expect(await refusalOf(sql`delete from public.program_reports`)).toMatch(/^55000/);
});

test('A sponsor reads no row of any table that says something about a business or a person', async () => {
  const tables = await sql`
    select c.relname as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      and has_any_column_privilege('authenticated', c.oid, 'SELECT')`;
  for (const { name } of tables) {
    const read = await whoReads(world, name, `to_jsonb(${name}) as row`, ({ row }) =>
      JSON.stringify(row),
    );
    const seen = JSON.stringify(read.sponsor);
    expect(seen, name).not.toMatch(/Secret|Alder|Birch|Cedar/);
    for (const { userId } of [people.owner, people.otherOwner])
      expect(seen, name).not.toContain(userId);
  }
});
