import { sql } from 'kysely';
import { type Database, query, queryOne } from '#backend/supabase/functions/_shared/connection.ts';
import { addMonths, type Forecast, newForecast, type PastMonth } from '#domain/forecast.ts';
import { actAs, type BuiltPerson, idOf, queryAs } from './builders.ts';
import { type DateChange, dayAgo } from './dates.ts';

/** The bakery of owner@demo.test, with enough data to make its pages worth looking at. */
export const BAKERY = idOf('business Delgado Bakery');

/** What a month brings in and costs, in dollars; taxes, insurance and an oven have months of their own. */
const EVERY_MONTH = {
  sales: 21_400,
  invoices: 18_900,
  suppliers: 13_600,
  wages: 15_900,
  rent: 4_150,
  loans: 1_240,
  draw: 2_600,
};

const monthly = (row: keyof typeof EVERY_MONTH) => `$${EVERY_MONTH[row].toLocaleString('en-US')}`;

/** Half a plan, the way someone leaves it on a Sunday evening; another member wrote two of its fields. */
const PLAN: { field: string; by: 'owner' | 'member'; texts: string[] }[] = [
  {
    field: 'problem',
    by: 'owner',
    texts: [
      'Restaurants here get their bread from a factory two hours away.',
      'Restaurants and schools here get bread that was baked yesterday, in a factory two hours away.',
    ],
  },
  {
    field: 'offer',
    by: 'owner',
    texts: [
      'Sourdough, rolls and pan dulce, at their back door before 6 a.m. The same bread at our counter from 7.',
    ],
  },
  {
    field: 'customer',
    by: 'member',
    texts: [
      'Restaurants with 40 or more seats within 12 miles. There are 62, and ten buy from us.\nNeighbors within a ten-minute walk.',
    ],
  },
  {
    field: 'competitors',
    by: 'owner',
    texts: [
      'The factory is 18 cents a roll cheaper. We’re fresher, and you can change your order until 8 p.m.',
    ],
  },
  {
    field: 'revenue',
    by: 'owner',
    texts: [
      `Wholesale ${monthly('invoices')} a month, at 62 cents a roll. Counter ${monthly('sales')}, mostly mornings.`,
    ],
  },
  {
    field: 'costs',
    by: 'member',
    texts: [
      `A month: wages ${monthly('wages')}, flour, butter and boxes ${monthly('suppliers')}, rent and power ${monthly('rent')}, the loan for the van ${monthly('loans')}.`,
    ],
  },
  {
    field: 'assumption',
    by: 'owner',
    texts: ['That five more restaurants will pay 62 cents when the factory charges 44.'],
  },
];

/** Monthly figures, in US dollars and people, oldest first, starting a year ago. */
const MONTHS: [revenue: number, profit: number, full: number, part: number][] = [
  [431_000, 21_500, 4, 4],
  [436_000, 22_100, 4, 4],
  [434_000, 19_800, 4, 5],
  [441_000, 20_600, 5, 4],
  [449_000, 24_300, 5, 4],
  [452_000, 26_000, 5, 4],
  [458_000, 27_900, 5, 3],
  [455_000, 25_200, 5, 3],
  [463_000, 28_800, 5, 4],
  [471_000, 30_400, 5, 4],
  [478_000, 32_700, 5, 4],
];

/** A row's usual month, in cents; null if it has none. */
const centsOf = (row: string): number | null => {
  const dollars = new Map(Object.entries(EVERY_MONTH)).get(row);
  return dollars === undefined ? null : dollars * 100;
};

const AT_TIMES: Record<string, Record<number, number>> = {
  funding: { 3: 4_000 },
  yearly: { 0: 3_900, 3: 3_900, 5: 5_200, 6: 3_900, 9: 3_900 },
  equipment: { 4: 9_800 },
};
/** More is sold before the holidays and in spring, less in summer. */
const SEASONS = [1.18, 0.92, 0.95, 1, 1.04, 1.06, 0.98, 0.9, 0.88, 0.97, 1.03, 1.1];
const SEASONAL = ['sales', 'invoices', 'suppliers'];

/** How far what happened was from the plan in the last three months, as a factor. */
const HAPPENED: Record<string, number[]> = {
  sales: [1.02, 0.97, 1.04],
  invoices: [0.91, 1.05, 0.86],
  suppliers: [1.03, 1, 1.06],
  wages: [1, 1, 1.04],
  rent: [1, 1, 1],
  loans: [1, 1, 1],
  draw: [1, 1, 1],
};
/** In the bank now, in cents. */
const IN_BANK = 1_145_000;

/** What a month moves the balance by, as planned or as it happened. */
const netOf = (rows: PastMonth['rows'], of: 'planned' | 'actual') =>
  rows.reduce((sum, row) => sum + (row.side === 'in' ? 1 : -1) * (row[of] ?? 0), 0);

/** The three months that are over: their figures lead to what's in the bank now. */
function pastOf({ start, rows }: Forecast): PastMonth[] {
  let balance = IN_BANK;
  return [2, 1, 0]
    .map((at) => {
      const figures = rows.map(({ id, name, side }) => {
        const cents = centsOf(id);
        const factor = HAPPENED[id]?.[at];
        return {
          name,
          side,
          planned: cents,
          actual:
            cents === null || factor === undefined
              ? null
              : Math.round((cents * factor) / 1000) * 1000,
        };
      });
      const actual = balance;
      balance -= netOf(figures, 'actual');
      return {
        month: addMonths(start, at - 3),
        rows: figures,
        planned: balance + netOf(figures, 'planned'),
        actual,
      };
    })
    .toReversed();
}

/** The bakery's forecast, as one of its versions, in the form that's stored. */
function forecast(version: number): string {
  // It starts with this month: the one before is the last that's over.
  const blank = newForecast(`${addMonths(new Date().toISOString().slice(0, 7), -1)}-01`);
  const rows = blank.rows.map((row) => ({
    ...row,
    amounts: row.amounts.map((_, month) => {
      const each = centsOf(row.id);
      const season = SEASONAL.includes(row.id) ? (SEASONS[month] ?? 1) : 1;
      const once = AT_TIMES[row.id]?.[month];
      // The oven was added in the last version.
      if (row.id === 'equipment' && version < 2) return null;
      if (each === null) return once === undefined ? null : once * 100;
      return Math.round((each * season) / 1000) * 1000;
    }),
  }));
  return JSON.stringify({
    ...blank,
    opening: IN_BANK,
    floor: version === 0 ? null : 1_000_000,
    rows,
    past: pastOf(blank),
  });
}

/** What the owner typed into the break-even calculator. */
const BREAK_EVEN = { fixed: '26,390', price: '4.20', variable: '1.35' };

/**
 * Gives the bakery a member who joined by invitation, a year of figures, half a plan and an open
 * invitation.
 */
export async function furnishBakery(
  db: Database,
  people: { owner: BuiltPerson; member: BuiltPerson },
): Promise<DateChange[]> {
  await join(db, people);
  await actAs(db, people.owner, async () => {
    for (const [index, [revenue, profit, full, part]] of MONTHS.entries()) {
      const age = (MONTHS.length + 1 - index) * 30.4 + 4;
      await query(db)`select public.add_snapshot(
        ${idOf(`bakery figures ${index}`)}, ${BAKERY}, ${dayAgo(age)}, ${full}, ${part},
        ${revenue * 100}, ${profit * 100}, 'USD')`;
    }
    // A correction: the costs had left out the van.
    const day = dayAgo(3 * 30.4 + 4);
    await query(db)`select public.add_snapshot(
      ${idOf('bakery figures corrected')}, ${BAKERY}, ${day}, 5, 4, 47100000, 2710000, 'USD')`;
    await query(db)`select public.invite_member(
      ${idOf('bakery invitation')}, ${BAKERY}, 'bookkeeper@demo.test')`;
  });
  for (const { field, by, texts } of PLAN) {
    for (const [index, text] of texts.entries()) {
      const page = idOf(`bakery page ${field} ${index}`);
      await queryAs(db, people[by])`
        select public.save_plan_field(${BAKERY}, ${field}, ${text}, ${index}, ${page})`;
    }
  }
  for (const [index, by] of (['owner', 'member', 'owner'] as const).entries()) {
    await queryAs(db, people[by])`
      select public.save_worksheet(${BAKERY}, 'forecast', ${forecast(index)}::jsonb, ${index})`;
  }
  await queryAs(db, people.owner)`
    select public.save_worksheet(${BAKERY}, 'break-even', ${JSON.stringify(BREAK_EVEN)}::jsonb, 0)`;
  return [
    sql`
      update public.business_members set joined_at = ${dayAgo(35)}
      where business_id = ${BAKERY} and user_id = ${people.member.id}`,
    sql`
      update public.business_snapshots s set created_at = s.created_at + interval '3 days'
      where s.id = ${idOf('bakery figures corrected')}`,
    sql`
      update public.business_plan_versions v
      set began_at = v.saved_at - make_interval(days => 24 - 2 * v.revision),
        saved_at = v.saved_at - make_interval(days => 24 - 2 * v.revision)
      where v.business_id = ${BAKERY}`,
    sql`
      update public.business_plan_fields f
      set saved_at = f.saved_at - make_interval(days => 24 - 2 * f.revision)
      where f.business_id = ${BAKERY}`,
    sql`
      update public.business_worksheet_versions v
      set saved_at = v.saved_at - make_interval(days => 9 - 3 * v.revision)
      where v.business_id = ${BAKERY} and v.kind = 'forecast'`,
  ];
}

async function join(
  db: Database,
  { owner, member }: { owner: BuiltPerson; member: BuiltPerson },
): Promise<void> {
  await queryAs(db, owner)`
    select public.invite_member(${idOf('bakery member')}, ${BAKERY}, ${member.email})`;
  const mail = await queryOne<{ path: string }>(db)`
    select data->>'path' as path from private.mails
    where to_address = ${member.email} and template = 'business-invitation'`;
  const token = new URL(mail?.path ?? '', 'http://site.invalid').searchParams.get('token') ?? '';
  await queryAs(db, member)`select public.accept_invitation(${token})`;
}
