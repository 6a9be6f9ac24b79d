import { sql } from 'kysely';
import { type Database, query, queryOne } from '#backend/supabase/functions/_shared/connection.ts';
import { idOf } from './builders.ts';
import { type DateChange, dayAgo, daysAgo } from './dates.ts';

/** What clients say helped, and what to do differently. */
const COMMENTS: readonly (readonly [string | null, string | null])[] = [
  ['Someone who asked for the numbers and waited until I had them.', null],
  ['The one-page plan. It hangs above my desk.', 'A reminder two days before each session.'],
  [null, 'Evening sessions. My shop is open until six.'],
  ['Finding out that I was losing money on my best-selling product.', null],
  ['The cash forecast, by far.', 'Shorter forms at the beginning.'],
  ['My coach has run a business. You can tell.', null],
  [null, null],
  ['Having to say out loud what I’d do by when.', 'More time between sessions two and three.'],
  ['The script for talking to customers.', null],
  [null, 'Meet in person at least once.'],
  ['We wrote the first job description together, and I hired with it.', null],
  ['Calm. I came with ten problems and left with one.', 'Tell me sooner who my coach will be.'],
];

/** How many clients answered in each quarter, by days ago. */
const ANSWERED = [
  { ago: 330, many: 8 },
  { ago: 240, many: 10 },
  { ago: 150, many: 12 },
  { ago: 55, many: 12 },
] as const;

/** By how much each of the ten statements is rated above or below the mood of an answer. */
const LEANS = [0.3, 0, -0.4, 0.2, 0.4, 0.7, -0.3, -0.5, 0, 0.3] as const;

/** A whole number around a middle, within limits. */
const around = (middle: number, random: () => number, least: number, most: number) =>
  Math.min(most, Math.max(least, Math.round(middle + (random() - 0.5) * 1.8)));

/** A year of answers by the survey's public link, as its form sends them; a little better each time. */
export async function answerSurvey(db: Database, random: () => number): Promise<DateChange[]> {
  const survey = await queryOne<{ id: string }>(db)`
    select id from public.surveys where state = 'open'`;
  if (!survey) throw new Error('No survey is open. Load content/ first.');
  const changes: DateChange[] = [
    sql`update public.surveys set opened_at = ${daysAgo(340)} where id = ${survey.id}`,
  ];
  for (const [quarter, { ago, many }] of ANSWERED.entries()) {
    for (let place = 0; place < many; place++) {
      const id = idOf(`response ${quarter} ${place}`);
      const mood = 3.8 + quarter * 0.15 + (random() - 0.5) * 1.2;
      const response = {
        agreement: LEANS.map((lean) =>
          random() < 0.05 ? null : around(mood + lean, random, 1, 5),
        ),
        recommend: around(mood * 2, random, 0, 10),
        comments: COMMENTS[(quarter * 5 + place) % COMMENTS.length],
      };
      await query(db)`
        select private.receive_survey_response(
          ${`${quarter}:${place}`}, ${id}, ${survey.id}, ${JSON.stringify(response)}::jsonb, null)`;
      changes.push(sql`
        update public.survey_responses set responded_on = ${dayAgo(ago - place)} where id = ${id}`);
    }
  }
  return changes;
}
