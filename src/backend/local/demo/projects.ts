import { sql } from 'kysely';
import { type Database, query } from '#backend/supabase/functions/_shared/connection.ts';
import { BAKERY } from './bakery.ts';
import { actAs, type BuiltPerson, idOf, queryAs } from './builders.ts';
import { type DateChange, dayAgo, daysAgo } from './dates.ts';

/** A demo task: what to do, its status, and days until it's due. */
type DemoTask = [title: string, state?: 'doing' | 'done' | `blocked: ${string}`, dueIn?: number];

interface DemoProject {
  title: string;
  area: string;
  outcome?: string;
  baseline?: string;
  coached?: boolean;
  /** Days from today; before today is negative. */
  startIn?: number;
  dueIn?: number;
  /** How many days ago the draft was created; its steps follow, also in days ago, with their notes. */
  made: number;
  steps: [daysAgo: number, to: string, note?: string][];
  tasks: DemoTask[];
  /** Written by the owner or the coach. */
  updates: [daysAgo: number, by: 'owner' | 'coach', body: string][];
}

const projects: DemoProject[] = [
  {
    title: 'A cash forecast we update every Friday',
    area: 'financial-projection',
    outcome: 'On any given day we know what’ll be in the bank 13 weeks out, within $2,000.',
    baseline: 'We check the balance. Last month we were $6,400 short and had four days’ warning.',
    coached: true,
    startIn: -38,
    dueIn: 24,
    made: 40,
    steps: [
      [39, 'planned'],
      [38, 'in_progress'],
    ],
    tasks: [
      ['List every payment that goes out on a fixed day', 'done'],
      ['Write down what day each wholesale account actually pays', 'done'],
      ['Fill in 13 weeks with Ruth', 'done'],
      ['Check the forecast against the bank every Friday at 4', 'doing', 3],
      ['Decide what to do if a week drops below $3,000', undefined, 9],
      [
        'Set up the bank’s low-balance alert',
        'blocked: The bank needs both of us at the branch',
        -2,
      ],
      ['Show the forecast to the lender', undefined, 24],
    ],
    updates: [
      [33, 'owner', 'Our eleven accounts pay on day 38 on average, not day 30. Two of them on 61.'],
      [
        31,
        'coach',
        'That’s the whole gap. Before you do anything else, call those two and offer 2 percent off for paying within ten days.',
      ],
      [12, 'owner', 'First forecast was off by $1,150 after two weeks. One agreed to ten days.'],
    ],
  },
  {
    title: 'A one-page job description for everyone, starting with the shop lead',
    area: 'people-management',
    outcome: 'All nine of us can say what we decide on our own and who we ask.',
    baseline: 'Nothing’s in writing. Everyone asks Maria.',
    startIn: -20,
    dueIn: 21,
    made: 22,
    steps: [
      [21, 'planned'],
      [20, 'in_progress'],
      [6, 'blocked', 'The shop lead is out for two weeks, and hers comes first.'],
    ],
    tasks: [
      ['Write down who opens and who closes', 'done'],
      ['Draft the shop lead’s page with her', 'doing', 10],
      ['Pages for the two bakers', undefined, 14],
      ['Read them out loud at the Monday meeting'],
    ],
    updates: [
      [19, 'owner', 'Used the role sheet from the toolbox. Took an hour, not a whole afternoon.'],
    ],
  },
  {
    title: 'Answer every wholesale inquiry within a day',
    area: 'sales-marketing',
    outcome: 'Nine out of ten inquiries answered the same or next business day.',
    baseline: 'Five of the last ten. Two never got an answer.',
    startIn: -60,
    dueIn: -3,
    made: 64,
    steps: [
      [62, 'planned'],
      [60, 'in_progress'],
      [4, 'in_review'],
    ],
    tasks: [
      ['One inbox for inquiries, on both phones', 'done'],
      ['A price list we can send right away', 'done'],
      ['Track replies for four weeks', 'done'],
    ],
    updates: [[4, 'owner', '23 out of 25 in four weeks, and three new accounts.']],
  },
  {
    title: 'Get the hours and order form right on the website',
    area: 'web-design',
    outcome: 'Nobody has to call to ask when we’re open.',
    made: 9,
    dueIn: 40,
    steps: [[8, 'planned']],
    tasks: [
      ['Check the hours on the website, Google and the door', undefined, 12],
      ['Try the order form on a phone'],
    ],
    updates: [],
  },
  {
    title: 'Backups of recipes and orders',
    area: 'operations-workflows',
    outcome: 'Losing a laptop costs us an hour, not the recipes.',
    baseline: 'One laptop, one notebook.',
    made: 130,
    startIn: -128,
    dueIn: -98,
    steps: [
      [129, 'planned'],
      [128, 'in_progress'],
      [101, 'in_review'],
      [100, 'done'],
    ],
    tasks: [
      ['Photograph the notebook', 'done'],
      ['Back up to two places every night', 'done'],
      ['Restore one file to make sure it works', 'done'],
    ],
    updates: [[100, 'owner', 'Restored the rye recipe from the backup. It works.']],
  },
  {
    title: 'Find out why wedding orders stopped',
    area: 'custom-research',
    made: 2,
    steps: [],
    tasks: [['Call the five couples who asked but didn’t order']],
    updates: [],
  },
  {
    title: 'A second shop in Rio Rancho',
    area: 'growth-strategy',
    made: 210,
    steps: [[150, 'canceled', 'Not until this one has three months of cash in the bank.']],
    tasks: [],
    updates: [],
  },
];

export async function furnishProjects(
  db: Database,
  people: { owner: BuiltPerson; coach: BuiltPerson },
): Promise<DateChange[]> {
  for (const project of projects) await makeProject(db, people, project);
  return projects.flatMap(datesOfProject);
}

const dayIn = (days: number | undefined) => (days === undefined ? null : dayAgo(-days));
const updateId = ({ title }: DemoProject, place: number) => idOf(`update ${title} ${place}`);

async function makeProject(
  db: Database,
  people: { owner: BuiltPerson; coach: BuiltPerson },
  project: DemoProject,
): Promise<void> {
  const id = idOf(`project ${project.title}`);
  await actAs(db, people.owner, async () => {
    await query(db)`select public.create_project(
      ${id}, ${BAKERY}, ${project.title}, ${project.area}, ${project.outcome ?? null},
      ${project.baseline ?? null}, ${dayIn(project.startIn)}, ${dayIn(project.dueIn)},
      ${project.coached ? idOf('engagement owner@demo.test') : null})`;
    for (const [, to, note] of project.steps) {
      await query(db)`select public.move_project(${id}, ${to}, ${note ?? null})`;
    }
    for (const [title, state, dueIn] of project.tasks) {
      const task = idOf(`task ${project.title} ${title}`);
      await query(db)`select public.add_project_task(${task}, ${id}, ${title}, ${dayIn(dueIn)})`;
      if (!state) continue;
      const [name, reason = null] = state.split(': ');
      await query(db)`select public.set_project_task_state(${task}, ${name}, ${reason})`;
    }
  });
  for (const [place, [, by, body]] of project.updates.entries()) {
    await queryAs(db, people[by])`
      select public.add_project_update(${updateId(project, place)}, ${id}, ${body})`;
  }
}

function datesOfProject(project: DemoProject): DateChange[] {
  const id = idOf(`project ${project.title}`);
  const made = daysAgo(project.made);
  const steps = [made, ...project.steps.map(([days]) => daysAgo(days))];
  const written = project.updates.map(([days]) => daysAgo(days));
  const latest = new Date(Math.max(...[...steps, ...written].map(Number)));
  return [
    sql`update public.projects set created_at = ${made}, updated_at = ${latest} where id = ${id}`,
    sql`
      update public.project_tasks set
        created_at = ${made}, updated_at = ${latest},
        done_at = case when done_at is null then null else ${latest}::timestamptz end
      where project_id = ${id}`,
    ...steps.map(
      (at, place) => sql`
        update public.project_events set at = ${at}
        where id = (
          select e.id from public.project_events e where e.project_id = ${id}
          order by e.id offset ${place} limit 1
        )`,
    ),
    ...written.map(
      (at, place) => sql`
        update public.project_updates set at = ${at} where id = ${updateId(project, place)}`,
    ),
  ];
}
