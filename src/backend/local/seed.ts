import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import {
  connect,
  type Database,
  query,
  queryOne,
} from '#backend/supabase/functions/_shared/connection.ts';
import { splitFrontMatter } from '#domain/front-matter.ts';
import { recall, remember } from './postgres/bootstrap.ts';
import { inProject } from './project-root.ts';
import { comingDates, type EventFile, seedEvents } from './seed-events.ts';

export const contentFolder = inProject('content');

/** A record from content/; the schemas are in src/collections, and the database checks everything. */
type Row = Record<string, unknown>;

interface QuizVersion extends Row {
  id: string;
  number: number;
  areas: Row[];
  questions: Row[];
}

interface ToolboxItem extends Row {
  slug: string;
  version: number;
  reviewed_on: string;
}

interface Survey extends Row {
  id: string;
}

interface CoachingRules extends Row {
  holidays: Row[];
}

interface Plan extends Row {
  key: string;
  prices: Row[];
}

interface Pricing extends Row {
  currency: string;
  plans: Plan[];
  extras: Plan[];
  tax_rates: Row[];
}

/** Columns that come from an item's file. */
const ITEM_COLUMNS = [
  'id',
  'slug',
  'title',
  'summary',
  'type',
  'area',
  'levels',
  'minutes',
  'format',
  'version',
  'reviewed_on',
  'calculator',
  'practice',
];

/** The columns that came later and that items can do without. */
const LATER_COLUMNS = new Set(['calculator', 'practice']);

/**
 * Loads the quiz, toolbox, survey, coaching calendar, prices and events from `content/` into the database. Existing
 * data wins: a quiz version is never changed, and a toolbox item that an admin edited or removed stays
 * that way. A survey with a new ID replaces the open one. Does nothing if the files are the same as
 * last time.
 * @throws {Error} that names the file the database rejected.
 */
export async function seed(
  databaseUrl: string,
  options: { folder?: string; log?: (line: string) => void } = {},
): Promise<void> {
  const { folder = contentFolder, log = () => {} } = options;
  const words = await readWords(folder);
  const db = connect(databaseUrl, { max: 1 });
  try {
    if ((await recall(db, 'words')) === words.hash) return;
    await db.transaction().execute(async (tx) => {
      await query(tx)`select pg_advisory_xact_lock(4913003)`;
      await about('quiz/areas.yaml', () => seedAreas(tx, words.areas));
      for (const { file, content } of words.versions) {
        await about(`quiz/${file}`, () => seedVersion(tx, content, log));
      }
      for (const { file, content } of words.toolbox) {
        await about(`toolbox/${file}`, () => seedToolboxItem(tx, content));
      }
      await about('survey.yaml', () => seedSurvey(tx, words.survey));
      await about('coaching.yaml', () => seedCoaching(tx, words.coaching));
      await about('pricing.yaml', () => seedPricing(tx, words.pricing));
      await about('events', () => seedEvents(tx, words.events, log));
      await remember(tx, 'words', words.hash);
    });
  } finally {
    await db.destroy();
  }
}

async function readWords(folder: string) {
  const areas = parse(await readFile(join(folder, 'quiz/areas.yaml'), 'utf8')) as Row[];
  const files = await readFolder(join(folder, 'quiz'), /^version-\d+\.yaml$/);
  const versions = files
    .map(({ file, text }) => ({ file, content: parse(text) as QuizVersion }))
    .sort((a, b) => a.content.number - b.content.number);
  const toolbox = (await readFolder(join(folder, 'toolbox'), /^[a-z].*\.md$/)).map(
    ({ file, text }) => ({ file, content: parseToolboxItem(text) }),
  );
  const survey = parse(await readFile(join(folder, 'survey.yaml'), 'utf8')) as Survey;
  const coaching = parse(await readFile(join(folder, 'coaching.yaml'), 'utf8')) as CoachingRules;
  const pricing = parse(await readFile(join(folder, 'pricing.yaml'), 'utf8')) as Pricing;
  // The dates of the year ahead: those of events that repeat are more from month to month.
  const events = comingDates(
    (await readFolder(join(folder, 'events'), /^[a-z].*\.mdx$/)).map(({ file, text }) => ({
      slug: file.replace(/\.mdx$/, ''),
      ...(parse(splitFrontMatter(text)?.yaml ?? '') as Omit<EventFile, 'slug'>),
    })),
    new Date(),
  );
  const hash = hashOf({ areas, versions, toolbox, survey, coaching, pricing, events });
  return { areas, versions, toolbox, survey, coaching, pricing, events, hash };
}

async function readFolder(folder: string, pattern: RegExp) {
  const names = (await readdir(folder)).filter((name) => pattern.test(name)).sort();
  return Promise.all(
    names.map(async (file) => ({ file, text: await readFile(join(folder, file), 'utf8') })),
  );
}

function parseToolboxItem(text: string): ToolboxItem {
  const split = splitFrontMatter(text);
  if (!split) throw new Error('A toolbox item starts with front matter between two ---.');
  const item: Row = parse(split.yaml);
  // An item without one of these has no such key, so its hash is the same as before they existed.
  const columns = ITEM_COLUMNS.filter((name) => !LATER_COLUMNS.has(name) || item[name]);
  const entries = columns.map((name) => [name, item[name]]);
  return { ...Object.fromEntries(entries), body: split.body.trim() } as ToolboxItem;
}

async function seedAreas(db: Database, areas: Row[]): Promise<void> {
  await query(db)`
    insert into public.skill_areas (key, name, short_name, position, summary)
    select key, name, short_name, position, summary
    from jsonb_populate_recordset(null::public.skill_areas, ${JSON.stringify(areas)}::jsonb)
    on conflict (key) do update set
      name = excluded.name, short_name = excluded.short_name,
      position = excluded.position, summary = excluded.summary`;
}

async function seedVersion(
  db: Database,
  version: QuizVersion,
  log: (line: string) => void,
): Promise<void> {
  const key = `quiz-version:${version.number}`;
  const hash = hashOf(version);
  const file = `content/quiz/version-${version.number}.yaml`;
  if (await queryOne(db)`select from public.quiz_versions where id = ${version.id}`) {
    if ((await recall(db, key)) !== hash) {
      log(
        `${file} was edited, but version ${version.number} is already in the database, so it ` +
          'stays as it is. Make the change in a new version file.',
      );
    }
    return;
  }
  // What admins drafted and published is in the database alone.
  const latest = await queryOne<{ number: number; next: number }>(db)`
    select max(number) filter (where state <> 'draft') as number, max(number) + 1 as next
    from public.quiz_versions`;
  if (latest?.number && latest.number >= version.number) {
    log(
      `${file} isn’t used, because version ${latest.number} of the quiz is already published on ` +
        `this site. To publish the file, give it the number ${latest.next}.`,
    );
    return;
  }
  const drafts = await query<{ id: string }>(db)`
    update public.quiz_versions set number = greatest(${latest?.next ?? 1}, ${version.number} + 1)
    where number = ${version.number} returning id`;
  if (drafts.length > 0) {
    log(`${file} has the number of an admin’s draft, so the draft now has the next number.`);
  }

  const id = version.id;
  await query(db)`
    insert into public.quiz_versions (id, number, title)
    values (${id}, ${version.number}, ${version.title})`;
  await query(db)`
    insert into public.quiz_version_areas (
      version_id, area_key, importance, skip_question, skip_help
    )
    select ${id}, a.key, a.importance, a.skip ->> 'question', a.skip ->> 'help'
    from jsonb_to_recordset(${JSON.stringify(version.areas)}::jsonb)
      as a (key text, importance int, skip jsonb)`;
  await query(db)`
    insert into public.quiz_questions (
      version_id, key, area_key, practice, position, text, help, anchors, weight, action, meaning,
      first_look
    )
    select ${id}, q.key, q.area, q.practice, place, q.text, q.help, q.anchors, q.weight,
      trim(e'\\n ' from q.action), coalesce(q.meaning, 1), coalesce(q.first_look, false)
    from jsonb_array_elements(${JSON.stringify(version.questions)}::jsonb) with ordinality as e (row, place),
      jsonb_to_record(e.row) as q (
        key text, area text, practice text, text text, help text, anchors text[], weight numeric,
        action text, meaning int, first_look boolean
      )`;
  await query(db)`update public.quiz_versions set state = 'published' where id = ${version.id}`;
  await remember(db, key, hash);
}

interface StoredItem {
  id: string;
  state: string;
  version: number;
  /** Whether its current version comes from a file. */
  from_content: boolean;
  /** Whether it says what this file says. */
  is_same: boolean;
}

/** An item as its file has it, as a row of what people read. Only admins attach files. */
const contentOf = ({ area, body, ...item }: ToolboxItem): string =>
  JSON.stringify({
    ...item,
    area_key: area,
    body_markdown: body,
    files: [],
    video: null,
    captions: '',
  });

/**
 * Adds an item, or publishes its file as its next version if the file has changed. An item that an
 * admin edited, archived or removed stays that way.
 */
async function seedToolboxItem(db: Database, item: ToolboxItem): Promise<void> {
  const key = `toolbox:${item.slug}`;
  const hash = hashOf(item);
  const last = await recall(db, key);
  if (last === hash) return;
  const content = contentOf(item);
  const stored = await queryOne<StoredItem>(db)`
    select i.id, i.state, i.version, v.from_content,
      private.tool_content(to_jsonb(i)) = private.tool_content(${content}::jsonb) as is_same
    from public.toolbox_items i
    join public.toolbox_versions v on v.item_id = i.id and v.version = i.version
    where i.slug = ${item.slug}`;
  if (!stored) {
    if (last !== undefined) return;
    await query(db)`
      insert into public.toolbox_items (
        id, slug, title, summary, type, area_key, levels, minutes, format, version, reviewed_on,
        calculator, practice, state, body_markdown
      )
      select id, slug, title, summary, type, area_key, levels, minutes, format, version, reviewed_on,
        calculator, practice, 'published', body_markdown
      from jsonb_populate_record(null::public.toolbox_items, ${content}::jsonb)`;
  } else if (stored.state !== 'published' || !stored.from_content) {
    // The built page says what the file says, so it's no longer what's published.
    await query(db)`
      update public.toolbox_items set built_version = null where id = ${stored.id}`;
    return;
  } else if (!stored.is_same) {
    await publishFromContent(db, stored, item);
  }
  // The build shows the file's own number.
  await query(db)`
    update public.toolbox_items set
      reviewed_on = greatest(reviewed_on, ${item.reviewed_on}::date),
      built_version = ${item.version}, built_reviewed_on = ${item.reviewed_on}::date
    where slug = ${item.slug}`;
  await remember(db, key, hash);
}

/** Publishes a file as the next version: under its own number or, if that's taken, the one after. */
async function publishFromContent(db: Database, stored: StoredItem, item: ToolboxItem) {
  const [added] = await query<{ id: string }>(db)`
    insert into public.toolbox_versions (
      item_id, version, title, summary, type, area_key, practice, levels, minutes, format,
      calculator, body_markdown, from_content, published_at
    )
    select ${stored.id}, greatest(${item.version}, ${stored.version} + 1), title, summary, type,
      area_key, practice, levels, minutes, format, calculator, body_markdown, true, now()
    from jsonb_populate_record(null::public.toolbox_versions, ${contentOf(item)}::jsonb)
    returning id`;
  await query(db)`
    select private.show_tool_version(v, ${item.reviewed_on}::date)
    from public.toolbox_versions v where v.id = ${added?.id}`;
}

async function seedSurvey(db: Database, survey: Survey): Promise<void> {
  const existing = await queryOne(db)`select from public.surveys where id = ${survey.id}`;
  if (existing) return;
  await query(db)`
    update public.surveys set state = 'closed', closed_at = now() where state = 'open'`;
  await query(db)`
    insert into public.surveys (id, title, privacy, public_link, statements, recommend, comments)
    select id, title, privacy, public_link, statements, recommend, comments
    from jsonb_populate_record(null::public.surveys, ${JSON.stringify(survey)}::jsonb)`;
}

/** How long each step of coaching may take; what's under way gets its new dates. */
async function seedCoaching(db: Database, { holidays, ...rules }: CoachingRules): Promise<void> {
  const key = 'coaching';
  const hash = hashOf({ holidays, rules });
  if ((await recall(db, key)) === hash) return;
  await query(db)`
    update private.coaching_rules set
      (time_zone, assign_days, accept_days, contact_days, write_up_days, stale_days) = (
        select time_zone, assign_days, accept_days, contact_days, write_up_days, stale_days
        from jsonb_populate_record(null::private.coaching_rules, ${JSON.stringify(rules)}::jsonb)
      )`;
  await query(db)`delete from private.holidays`;
  await query(db)`
    insert into private.holidays (day, name)
    select date, name
    from jsonb_to_recordset(${JSON.stringify(holidays)}::jsonb) as h (date date, name text)`;
  await query(db)`
    select private.set_clock(id) from public.engagements where closed_at is null`;
  await remember(db, key, hash);
}

/**
 * Plans, prices and tax rates, when the file has changed. A price with another amount takes the place
 * of the one before, which stays with the orders that were made with it.
 */
async function seedPricing(db: Database, { currency, plans, extras, tax_rates }: Pricing) {
  const key = 'pricing';
  const sold = [...plans, ...extras];
  const hash = hashOf({ currency, sold: sold.map(pricesOf), tax_rates });
  if ((await recall(db, key)) === hash) return;
  for (const [index, plan] of sold.entries()) {
    await query(db)`
      insert into public.plans (key, name, position, gives, sessions, months, fewest, most, for_members)
      select key, name, ${index}, gives, coalesce(sessions, 0), coalesce(months, 0),
        coalesce(fewest, 1), coalesce(most, 1), coalesce(for_members, false)
      from jsonb_populate_record(null::public.plans, ${JSON.stringify(plan)}::jsonb)
      on conflict (key) do update set
        name = excluded.name, position = excluded.position, gives = excluded.gives,
        sessions = excluded.sessions, months = excluded.months, fewest = excluded.fewest,
        most = excluded.most, for_members = excluded.for_members`;
    const prices = plan.prices.filter(({ amount_minor }) => amount_minor !== 0);
    await query(db)`
      with given as (
        select every, amount_minor
        from jsonb_populate_recordset(null::public.prices, ${JSON.stringify(prices)}::jsonb)
      )
      update public.prices p set ended_at = now()
      where p.plan_key = ${plan.key} and p.ended_at is null and not p.by_admin
        and (p.every, p.amount_minor, p.currency) not in (select every, amount_minor, ${currency} from given)`;
    await query(db)`
      insert into public.prices (plan_key, every, amount_minor, currency)
      select ${plan.key}, every, amount_minor, ${currency}
      from jsonb_populate_recordset(null::public.prices, ${JSON.stringify(prices)}::jsonb)
      on conflict (plan_key, every) where ended_at is null do nothing`;
  }
  await query(db)`delete from public.tax_rates`;
  await query(db)`
    insert into public.tax_rates (region, name, rate)
    select region, name, rate
    from jsonb_populate_recordset(null::public.tax_rates, ${JSON.stringify(tax_rates)}::jsonb)`;
  await remember(db, key, hash);
}

const pricesOf = ({
  key,
  name,
  gives,
  sessions,
  months,
  fewest,
  most,
  for_members,
  prices,
}: Plan) => ({
  ...{ key, name, gives, sessions, months, fewest, most, for_members },
  prices: prices.map(({ amount_minor, every }) => ({ amount_minor, every })),
});

/** A hash of the content that doesn't depend on the order of its fields. */
function hashOf(content: unknown): string {
  const ordered = JSON.stringify(content, (_, value: unknown) =>
    value && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
  return createHash('sha256').update(ordered).digest('hex');
}

async function about(file: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw new Error(`content/${file}: ${(error as Error).message}`, { cause: error });
  }
}
