import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { LoopArea } from '#data/coaching-timeline.ts';
import { LoopChart } from '#features/coaching/story/LoopChart.tsx';
import {
  changeOf,
  isWorthDrawing,
  loopAxis,
  marksOf,
  scoreAt,
  stepsOf,
} from '#features/coaching/story/loop.ts';

const people: LoopArea = {
  area_key: 'people-management',
  area_name: 'People management',
  scores: [
    { at: '2026-08-22T16:00:00Z', score: 21.9, version_number: 1 },
    { at: '2026-11-12T16:00:00Z', score: 46.9, version_number: 1 },
  ],
  focus_at: '2026-08-23T16:00:00Z',
  actions: [
    { at: '2026-09-02T16:00:00Z', done_at: '2026-09-20T16:00:00Z' },
    { at: '2026-11-02T16:00:00Z', done_at: null },
  ],
  sessions: ['2026-09-02T16:00:00Z', '2026-11-02T16:00:00Z'],
  tools: [{ slug: 'role-sheet', at: '2026-09-02T16:00:00Z' }],
};
const now = '2026-11-30T16:00:00Z';
const axis = loopAxis([people], now, 'America/Denver');

test('All work is on the axis, with room at the left, and the last quiz before it at its edge', () => {
  const first = axis.shareOf('2026-08-23T16:00:00Z');
  expect(first).toBeGreaterThan(0);
  expect(first).toBeLessThan(0.05);
  const older = { at: '2025-08-22T16:00:00Z', score: 12, version_number: 1 };
  const oldest = { ...older, at: '2025-02-22T16:00:00Z', score: 5 };
  const steps = stepsOf({ ...people, scores: [oldest, older, ...people.scores] }, axis);
  expect(steps.map(({ score }) => score)).toEqual([12, 21.9, 46.9]);
  expect(steps[0]?.from).toBe(0);
  const [long] = stepsOf({ ...people, scores: [older] }, axis);
  expect(long).toMatchObject({ from: 0, to: 1, score: 12 });
  expect(axis.shareOf(now)).toBe(1);
  expect(axis.months.map(({ label }) => label)).toEqual(['Sep', 'Oct', 'Nov']);
});

test('The axis says the year in January, and spans six weeks at least', () => {
  const fresh = { ...people, scores: [], focus_at: null, actions: [], sessions: [], tools: [] };
  const { months, shareOf } = loopAxis([fresh], '2027-01-20T16:00:00Z', 'America/Denver');
  expect(months.map(({ label }) => label)).toEqual(['Jan 2027']);
  expect(shareOf('2026-12-10T16:00:00Z')).toBeGreaterThan(0);
});

test('A score lasts until the next quiz, and only a clear rise on the same questions counts', () => {
  const [before, after] = stepsOf(people, axis);
  expect(before?.to).toBe(after?.from);
  expect(after).toMatchObject({ to: 1, improved: true, isNewScale: false });
  const [, steady] = stepsOf(
    { ...people, scores: people.scores.map((each, n) => ({ ...each, score: 30 + 12 * n })) },
    axis,
  );
  expect(steady?.improved).toBe(false);
  const [, other] = stepsOf(
    { ...people, scores: people.scores.map((each, n) => ({ ...each, version_number: n })) },
    axis,
  );
  expect(other).toMatchObject({ improved: false, isNewScale: true });
});

test('Marks sit on the score of their day', () => {
  const steps = stepsOf(people, axis);
  expect(scoreAt(steps, axis.shareOf('2026-08-01T00:00:00Z'))).toBeNull();
  expect(scoreAt(steps, axis.shareOf('2026-09-20T16:00:00Z'))).toBe(21.9);
  expect(scoreAt(steps, axis.shareOf(now))).toBe(46.9);
});

test('Two sessions on one day are one mark', () => {
  const times = ['2026-09-02T18:00:00Z', '2026-09-02T16:00:00Z', '2026-10-02T16:00:00Z'];
  expect(marksOf(times, (at) => at, axis).map(({ thing }) => thing)).toEqual([
    '2026-09-02T16:00:00Z',
    '2026-10-02T16:00:00Z',
  ]);
});

test('A change compares scores of the same questions', () => {
  expect(changeOf(stepsOf(people, axis))).toEqual({ from: 21.9, to: 46.9 });
  const one = { ...people, scores: people.scores.slice(1) };
  expect(changeOf(stepsOf(one, axis))).toBeNull();
  const scores = people.scores.map((each, n) => ({ ...each, version_number: n }));
  expect(changeOf(stepsOf({ ...people, scores }, axis))).toBeNull();
});

test('A table says in words what the chart draws', () => {
  const html = renderToStaticMarkup(
    <LoopChart loop={[people]} now={now} timeZone="America/Denver" />,
  );
  const table = html.slice(html.indexOf('<table'));
  const text = table.replaceAll(/<[^>]+>/g, '|').replaceAll(/\|+/g, '|');
  expect(text).toContain(
    '|People management|22, Aug 22, 2026|47, Nov 12, 2026|Aug 23, 2026|2, last on Nov 2, 2026|1 of 2 done|1|',
  );
});

test('Work is drawn from the second session or the second quiz on', () => {
  const once = { ...people, sessions: people.sessions.slice(0, 1), scores: [] };
  expect(isWorthDrawing([])).toBe(false);
  expect(isWorthDrawing([once, { ...once, area_key: 'web-design' }])).toBe(false);
  expect(isWorthDrawing([once, { ...once, sessions: people.sessions.slice(1) }])).toBe(true);
  expect(isWorthDrawing([{ ...once, scores: people.scores }])).toBe(true);
});
