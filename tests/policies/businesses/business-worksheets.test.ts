import { expect, test } from 'vitest';
import { addRow, newForecast, withWhatIfs } from '#domain/forecast.ts';
import type { Person } from '../../fixtures/database.ts';
import { expectCallers, expectReaders, openWorld, refusalOf } from '../../fixtures/personas.ts';

const world = await openWorld();
const { sql, people, ids, ask } = world;
const { owner, colleague, otherOwner, coach, otherCoach, admin } = people;

const forecast = newForecast('2026-11-25');
const save = async (who: Person, document: unknown, base: number, kind = 'forecast') =>
  await ask(who, 'save_worksheet($1, $2, $3, $4)', [ids.alder, kind, document, base]);
const versions = async () =>
  (await ask(owner, "list_worksheet_versions($1, 'forecast')", [ids.alder])).map(
    (each: { revision: number; saved_by: string; restored_from: number | null }) =>
      [each.revision, each.saved_by, each.restored_from].filter(Boolean).join(' '),
  );

test('Only members save a worksheet, the coach reads it and its history', async () => {
  await expectCallers(
    world,
    `save_worksheet('${ids.alder}', 'price', '{"cost": "12"}', 0)`,
    'P0002 We can’t find this business.',
    { owner: 1, colleague: 1 },
  );
  await save(owner, { cost: '12' }, 0, 'price');
  const read = { owner: ['12'], colleague: ['12'], coach: ['12'] };
  await expectReaders(world, 'business_worksheets', "document ->> 'cost'", read);
  await expectReaders(world, 'business_worksheet_versions', "document ->> 'cost'", read);
  await expectCallers(
    world,
    `list_worksheet_versions('${ids.alder}', 'price')`,
    'P0002 We can’t find this business.',
    { owner: 1, colleague: 1, coach: 1 },
  );
  await expectCallers(
    world,
    `restore_worksheet_version('${ids.alder}', 'price', 1)`,
    'P0002 We can’t find this business.',
    { owner: 1, colleague: 1 },
  );
});

test('A worksheet of a business that someone can’t read isn’t there', async () => {
  const open = async (who: Person) => await ask(who, "get_worksheet($1, 'price')", [ids.alder]);
  for (const who of [otherOwner, otherCoach, admin]) expect(await open(who)).toBeNull();
  expect(await open(coach)).toMatchObject({ role: null, sheet: { document: { cost: '12' } } });
  const none = await ask(coach, "get_worksheet($1, 'forecast')", [ids.alder]);
  expect(none).toMatchObject({ sheet: { document: null, revision: 0 } });
});

test('What isn’t a forecast is refused, whatever is wrong with it', async () => {
  const [row, ...rest] = forecast.rows;
  const { late, price, hire } = forecast.whatIf;
  const wrong: unknown[] = [
    null,
    [],
    'text',
    {},
    { ...forecast, more: 1 },
    { ...forecast, start: '2026-13' },
    { ...forecast, start: 12 },
    { ...forecast, opening: 1.5 },
    { ...forecast, opening: '1' },
    { ...forecast, floor: 1e12 },
    { ...forecast, rows: {} },
    { ...forecast, rows: [{ ...row, id: '' }, ...rest] },
    { ...forecast, rows: [row, row] },
    { ...forecast, rows: [{ ...row, kind: 'fixed' }] },
    { ...forecast, rows: [{ ...row, side: null }] },
    { ...forecast, rows: [{ ...row, name: '' }] },
    { ...forecast, rows: [{ ...row, name: 'x'.repeat(61) }] },
    { ...forecast, rows: [{ ...row, amounts: [1, 2] }] },
    { ...forecast, rows: [{ ...row, amounts: [...Array(11).fill(0), 'a'] }] },
    { ...forecast, rows: [null] },
    { ...forecast, rows: Array.from({ length: 31 }, (_, id) => ({ ...row, id: String(id) })) },
    { ...forecast, whatIf: null },
    { ...forecast, whatIf: { late, price } },
    { ...forecast, whatIf: { late: { ...late, months: 7 }, price, hire } },
    { ...forecast, whatIf: { late: { ...late, percent: 100.1 }, price, hire } },
    { ...forecast, whatIf: { late: { ...late, on: 1 }, price, hire } },
    { ...forecast, whatIf: { late, price: { ...price, volume: 0.12 }, hire } },
    { ...forecast, whatIf: { late, price, hire: { ...hire, cents: null } } },
    { ...forecast, past: [{}] },
    { ...forecast, past: Array(25).fill({ month: '2026-01', rows: [], planned: 0, actual: 0 }) },
  ];
  for (const document of wrong) {
    // As text: the client would send null as SQL's null.
    const text = JSON.stringify(document);
    expect(
      await refusalOf(
        ask(owner, "save_worksheet($1, 'forecast', $2::text::jsonb, 0)", [ids.alder, text]),
      ),
      text.slice(0, 200),
    ).toMatch(/^22023 Something in these figures can’t be saved/);
  }
  for (const typed of [{ Cost: '1' }, { cost: 1 }, { cost: 'x'.repeat(41) }, []]) {
    expect(await refusalOf(save(owner, typed, 0, 'price'))).toMatch(/^22023 Something/);
  }
  expect(await refusalOf(save(owner, {}, 0, 'motto'))).toBe('22023 There’s no such worksheet.');
});

test('What the what-ifs and a full forecast make of it is saved', async () => {
  const on = { ...forecast.whatIf.hire, on: true };
  let full = { ...forecast, whatIf: { ...forecast.whatIf, hire: on } };
  full = withWhatIfs(full);
  for (let id = 0; full.rows.filter(({ side }) => side === 'in').length < 30; id += 1) {
    full = addRow(full, { id: `own-${id}`, side: 'in', kind: 'sale', name: 'x'.repeat(60) });
  }
  full.past = [{ month: '2026-10', rows: [], planned: -5, actual: null }];
  expect(await save(otherOwner, full, 0).catch(String)).toMatch(/find this business/);
  expect(await save(owner, full, 0)).toMatchObject({ saved: true, sheet: { revision: 1 } });
  // Sent twice: the second time changes nothing.
  expect(await save(owner, full, 0)).toMatchObject({ saved: true, sheet: { revision: 1 } });
});

test('Whoever saves over something they haven’t seen is shown it first', async () => {
  expect(await save(colleague, { ...forecast, opening: 200 }, 0)).toMatchObject({
    saved: false,
    sheet: { revision: 1, saved_by: 'Olive Owner' },
  });
  expect(await save(colleague, { ...forecast, opening: 200 }, 1)).toMatchObject({
    saved: true,
    sheet: { revision: 2, saved_by: 'Cole League', document: { opening: 200 } },
  });
});

test('Each person’s last version of each day is kept', async () => {
  expect(await versions()).toEqual(['2 Cole League', '1 Olive Owner']);
  await save(colleague, { ...forecast, opening: 300 }, 2);
  expect(await versions()).toEqual(['3 Cole League', '1 Olive Owner']);
  await sql`update public.business_worksheet_versions set saved_at = now() - interval '1 day'`;
  await save(colleague, { ...forecast, opening: 400 }, 3);
  expect(await versions()).toEqual(['4 Cole League', '3 Cole League', '1 Olive Owner']);
});

test('Restoring a version keeps the one that it replaces, from the same day too', async () => {
  await ask(colleague, "restore_worksheet_version($1, 'forecast', 3)", [ids.alder]);
  await save(colleague, { ...forecast, opening: 500 }, 5);
  expect(await versions()).toEqual([
    '6 Cole League',
    '5 Cole League 3',
    '4 Cole League',
    '3 Cole League',
    '1 Olive Owner',
  ]);
  expect(
    await refusalOf(ask(owner, "restore_worksheet_version($1, 'forecast', 99)", [ids.alder])),
  ).toBe('P0002 We can’t find this version.');
});

test('The newest 400 versions are kept', async () => {
  await sql`
    insert into public.business_worksheet_versions (business_id, kind, revision, document, saved_at)
    select ${ids.alder}, 'forecast', n, '{}', now() - interval '1 year'
    from generate_series(7, 500) n`;
  await sql`update public.business_worksheets set revision = 500 where kind = 'forecast'`;
  await save(owner, { ...forecast, opening: 600 }, 500);
  const [row] = await sql`
    select count(*)::int as kept, max(revision) as newest
    from public.business_worksheet_versions where business_id = ${ids.alder} and kind = 'forecast'`;
  expect(row).toEqual({ kept: 400, newest: 501 });
});

test('History outlives the account, and an archived business isn’t written to', async () => {
  await sql`delete from auth.users where id = ${colleague.userId}`;
  await sql`update public.businesses set archived_at = now() where id = ${ids.alder}`;
  expect(await refusalOf(save(owner, forecast, 501))).toMatch(/^55000/);
  expect(await refusalOf(save(owner, { cost: '1' }, 1, 'price'))).toMatch(/^55000/);
});
