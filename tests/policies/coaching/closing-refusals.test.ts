import { expect, test } from 'vitest';
import { acceptClients, closing, hoursFromNow, scheduleSession } from '../../fixtures/coaching.ts';
import { openWorld } from '../../fixtures/personas.ts';

const world = await openWorld();
const { people, ids, refusal } = world;
const { coach } = people;
const { alderEngagement } = ids;

const close = 'close_session($1, $2, $3)';
const action = (said: Record<string, unknown> = {}) => ({
  id: crypto.randomUUID(),
  body: 'Call five old customers',
  doer: 'owner',
  due_on: null,
  area_key: 'sales-marketing',
  tool_slug: null,
  focus_area_id: null,
  ...said,
});
const figures = (said: Record<string, unknown> = {}) => ({
  id: crypto.randomUUID(),
  full_time: 2,
  part_time: null,
  revenue_minor: 1_200_000,
  profit_minor: null,
  currency: 'USD',
  ...said,
});
const next = (said: Record<string, unknown> = {}) => ({
  id: crypto.randomUUID(),
  starts_at: hoursFromNow(24 * 7),
  minutes: 60,
  kind: 'online',
  place: 'A link',
  ...said,
});

/** How many rows a closed session could have stored. */
const stored = async () => {
  const [row] = await world.sql`
    select (select count(*)::int from public.coaching_sessions) as sessions,
      (select count(*)::int from public.session_notes) as notes,
      (select count(*)::int from public.coaching_actions) as actions,
      (select count(*)::int from public.business_snapshots) as figures`;
  return row;
};

const tooEarly = await refusal(coach, close, [crypto.randomUUID(), alderEngagement, closing()]);
await acceptClients(world);

test('Nothing is closed before the coach has accepted', () => {
  expect(tooEarly).toBe('55000 Accept this client first.');
});

test.each([
  ['no outcome', { outcome: null }, '22023 Say whether the session took place.'],
  ['a made-up outcome', { outcome: 'canceled' }, '22023 Say whether the session took place.'],
  [
    'a start that’s still to come',
    { starts_at: hoursFromNow(1) },
    '22023 You can close a session once it has started.',
  ],
  [
    'a start months ago',
    { starts_at: hoursFromNow(-24 * 61) },
    '22023 Choose a time within the last 60 days or the next year.',
  ],
  ['a long summary', { summary: 'x'.repeat(1001) }, '22023 Keep it to 1,000 characters.'],
  ['a long note', { note: 'x'.repeat(10_001) }, '22023 Keep it to 10,000 characters.'],
  ['an unknown topic', { topics: ['juggling'] }, '22023 Choose from the skill areas.'],
  ['no zone', { time_zone: '' }, '22023 We don’t know this time zone. Choose one from the list.'],
  [
    'a length in words',
    { minutes: 'an hour' },
    '22023 Something you entered isn’t right. Check it and try again.',
  ],
  ['an empty action', { actions: [action({ body: ' ' })] }, '22023 Say what there is to do.'],
  ['an action of nobody', { actions: [action({ doer: 'dog' })] }, '22023 Say who does it.'],
  [
    'an unknown tool',
    { actions: [action({ tool_slug: 'hammer' })] },
    '22023 Choose a tool from the toolbox.',
  ],
  [
    'a focus area of nobody',
    { actions: [action({ focus_area_id: crypto.randomUUID() })] },
    '22023 Choose one of the focus areas.',
  ],
  [
    '21 actions',
    { actions: Array.from({ length: 21 }, () => action()) },
    '22023 Add at most 20 actions.',
  ],
  [
    'no figure',
    { figures: figures({ full_time: null, revenue_minor: null }) },
    '22023 Enter at least one figure. Leave out anything you don’t know.',
  ],
  [
    'negative revenue',
    { figures: figures({ revenue_minor: -1 }) },
    '22023 Revenue can’t be negative.',
  ],
  [
    'no currency',
    { figures: figures({ currency: null }) },
    '22023 Choose a currency for the amounts.',
  ],
  [
    'a next session without a kind',
    { next: next({ kind: null }) },
    '22023 Say whether it’s in person, online or by phone.',
  ],
])('A session with %s is refused as a whole', async (_what, wrong, message) => {
  const before = await stored();
  const said = closing({ actions: [action()], figures: figures(), next: next(), ...wrong });
  expect(await refusal(coach, close, [crypto.randomUUID(), alderEngagement, said])).toBe(message);
  expect(await stored()).toEqual(before);
});

test('A next session that overlaps another is refused, and nothing of this one is stored', async () => {
  await scheduleSession(world, 24 * 7, { engagement: ids.cedarEngagement });
  const before = await stored();
  const said = closing({ next: next() });
  expect(await refusal(coach, close, [crypto.randomUUID(), alderEngagement, said])).toMatch(
    /^55000 You already have a session with Cedar Care/,
  );
  expect(await stored()).toEqual(before);
});
