import * as v from 'valibot';
import { type Database, queryOne } from '../connection.ts';
import { RemoteError } from '../remote-api.ts';
import type { Wrike, WrikeMade, WrikeProjectFields, WrikeTaskFields } from '../wrike.ts';

const project = v.object({
  title: v.string(),
  outcome: v.nullable(v.string()),
  baseline: v.nullable(v.string()),
  start_on: v.nullable(v.string()),
  due_on: v.nullable(v.string()),
  status: v.picklist(['Green', 'Red', 'OnHold', 'Completed', 'Cancelled']),
});
type MirroredProject = v.InferOutput<typeof project>;

const task = v.object({
  title: v.string(),
  due_on: v.nullable(v.string()),
  is_done: v.boolean(),
  /** The task before it; null for the first. */
  after: v.nullable(v.string()),
});
type MirroredTask = v.InferOutput<typeof task>;

const taken = v.nullable(
  v.object({
    id: v.string(),
    version: v.number(),
    wants: v.picklist(['save', 'remove']),
    folder_id: v.string(),
    wrike_id: v.nullable(v.string()),
    /** What was last sent of it, and what it is now; null if it's gone. */
    sent: v.nullable(project),
    content: v.nullable(project),
    tasks: v.array(
      v.object({
        id: v.string(),
        /** Null if it's to be removed. */
        content: v.nullable(task),
        sent: v.nullable(task),
        wrike_id: v.nullable(v.string()),
        /** Whether it may have been created. */
        is_begun: v.boolean(),
        is_first: v.nullable(v.boolean()),
        /** Wrike's id of the task before it. */
        after: v.nullable(v.string()),
      }),
    ),
    /** Wrike's id of the task that's the first one there. */
    first: v.nullable(v.string()),
  }),
);
type Taken = NonNullable<v.InferOutput<typeof taken>>;
type TakenTask = Taken['tasks'][number];

type Outcome = { is: 'done' | 'removed' | 'unknown' } | { is: 'refused' | 'gone'; reason: string };

/** What's said of a project that isn't in Wrike anymore. */
const GONE = 'It isn’t in Wrike anymore. If you send it again, it’s created again.';

const NO_FOLDER =
  'The folder isn’t in Wrike anymore, or isn’t shared with the person whose token this is.';

/** Sends the next mirrored project that waits, or a part of it. Resolves to whether there was one. */
export async function sendMirror(db: Database, client: Wrike, accountId: string): Promise<boolean> {
  const row = await queryOne<{ taken: unknown }>(db)`select private.take_wrike_mirror() as taken`;
  const mirror = v.parse(taken, row?.taken);
  if (!mirror) return false;
  let outcome: Outcome = { is: 'unknown' };
  try {
    outcome =
      mirror.wants === 'remove' || !mirror.content
        ? await remove(client, mirror)
        : await save({ db, client, accountId }, mirror, mirror.content);
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error;
    if (error.why !== 'refused' && error.why !== 'gone') throw error;
    outcome = { is: 'refused', reason: error.message };
  } finally {
    const reason = 'reason' in outcome ? outcome.reason : null;
    await queryOne(db)`
      select private.keep_wrike_outcome(${mirror.id}, ${mirror.version}, ${outcome.is}, ${reason})`;
  }
  return true;
}

async function remove(client: Wrike, mirror: Taken): Promise<Outcome> {
  const wrikeId = mirror.wrike_id ?? (await client.findProject(mirror.id))?.id;
  if (wrikeId !== undefined) await unlessGone(client.deleteProject(wrikeId));
  return { is: 'removed' };
}

interface Sending {
  db: Database;
  client: Wrike;
  accountId: string;
}

async function save(sending: Sending, mirror: Taken, content: MirroredProject): Promise<Outcome> {
  const { db, client, accountId } = sending;
  const keep = (id: string, permalink: string | null) => queryOne(db)`
    select private.keep_wrike_project(
      ${mirror.id}, ${accountId}, ${id}, ${permalink}, ${JSON.stringify(content)}::jsonb
    )`;
  let projectId = mirror.wrike_id;
  if (projectId === null) {
    const project = await create(client, mirror, content);
    if (!project) return { is: 'refused', reason: NO_FOLDER };
    projectId = project.id;
    await keep(project.id, project.permalink ?? null);
  } else {
    const fields = projectFields(content, mirror.sent);
    if (Object.keys(fields).length > 0) {
      const project = await unlessGone(client.updateProject(projectId, fields));
      if (!project) return { is: 'gone', reason: GONE };
      await keep(projectId, project.permalink ?? null);
    }
  }
  const place: Place = { mirror, projectId, ids: new Map() };
  for (const each of mirror.tasks) {
    const id = await unlessGone(sendTask(sending, place, each));
    // Not even a new task can be created there.
    if (id === null) return { is: 'gone', reason: GONE };
    // The next one follows what this one would have.
    place.ids.set(each.id, id || followed(place, each));
  }
  return { is: 'done' };
}

/** Creates the project, unless it's there: it may have been created without us learning of it. */
async function create(
  client: Wrike,
  { id, folder_id }: Taken,
  content: MirroredProject,
): Promise<WrikeMade | null> {
  const found = await client.findProject(id);
  const fields = projectFields(content);
  return found
    ? client.updateProject(found.id, fields)
    : unlessGone(client.createProject(folder_id, id, fields));
}

interface Place {
  mirror: Taken;
  /** Wrike's id of the project. */
  projectId: string;
  /** Wrike's id of what the task after each of this round follows, by our id; "" for the top. */
  ids: Map<string, string>;
}

/** Sends or removes a task, and notes it. Resolves to Wrike's id; "" if it isn't there. */
async function sendTask(sending: Sending, place: Place, each: TakenTask): Promise<string> {
  const { db } = sending;
  const { content } = each;
  if (!content) {
    await removeTask(sending, place, each);
    return '';
  }
  const keep = (wrikeId: string | null, sent: MirroredTask | null, reason: string | null) =>
    queryOne(db)`
      select private.keep_wrike_task(
        ${place.mirror.id}, ${each.id}, ${wrikeId}, ${JSON.stringify(sent)}::jsonb,
        ${reason === null ? null : JSON.stringify(content)}::jsonb, ${reason}
      )`;
  try {
    const id = await writeTask(sending, place, each, content);
    await keep(id, content, null);
    return id;
  } catch (error) {
    if (!(error instanceof RemoteError) || error.why !== 'refused') throw error;
    // One bad task doesn't keep back the others.
    await keep(each.wrike_id, each.sent, `A task was refused: ${error.message}`);
    return each.wrike_id ?? '';
  }
}

async function removeTask(
  { db, client }: Sending,
  { projectId }: Place,
  each: TakenTask,
): Promise<void> {
  const id = each.wrike_id ?? (await client.findTask(projectId, each.id))?.id;
  if (id !== undefined) await unlessGone(client.deleteTask(id));
  await queryOne(db)`select private.drop_wrike_task(${each.id})`;
}

/** Changes a task, or creates it: someone may have deleted it there. Resolves to Wrike's id. */
async function writeTask(
  { db, client }: Sending,
  place: Place,
  each: TakenTask,
  content: MirroredTask,
): Promise<string> {
  const { projectId, mirror } = place;
  const order = orderOf(place, each, content);
  /** Where it's listed doesn't matter enough to fail: the other task may be gone. */
  const write = async (send: (order: Order) => Promise<WrikeMade>): Promise<WrikeMade> => {
    try {
      return await send(order);
    } catch (error) {
      const isAboutIt = error instanceof RemoteError && ['refused', 'gone'].includes(error.why);
      if (!isAboutIt || Object.keys(order).length === 0) throw error;
      return send({});
    }
  };
  const { wrike_id: known } = each;
  if (known !== null) {
    const fields = taskFields(content, each.sent);
    const changed = await unlessGone(
      write((where) => client.updateTask(known, { ...fields, ...where })),
    );
    if (changed) return changed.id;
  }
  const fields = taskFields(content);
  // It may have been created without us learning of it.
  const found = each.is_begun ? await client.findTask(projectId, each.id) : null;
  if (found)
    return (await write((where) => client.updateTask(found.id, { ...fields, ...where }))).id;
  await queryOne(db)`select private.keep_wrike_task(${mirror.id}, ${each.id}, null, null)`;
  return (await write((where) => client.createTask(projectId, each.id, { ...fields, ...where })))
    .id;
}

type Order = Pick<WrikeTaskFields, 'priorityAfter' | 'priorityBefore'>;

/** Wrike's id of the task that a task is listed after; "" if it's the first. */
const followed = ({ ids }: Place, { content, after }: TakenTask): string =>
  (content && content.after !== null && ids.get(content.after)) || (after ?? '');

/** Where a task is listed, if that changed: after the one before it, or first. */
function orderOf(place: Place, each: TakenTask, content: MirroredTask): Order {
  if (each.sent && each.sent.after === content.after) return {};
  const after = followed(place, each);
  const { first } = place.mirror;
  if (after) return { priorityAfter: after };
  return each.is_first && first !== null && first !== each.wrike_id
    ? { priorityBefore: first }
    : {};
}

/** What a request resolves to; null if Wrike says that it isn't there. */
async function unlessGone<Answer>(request: Promise<Answer>): Promise<Answer | null> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof RemoteError && error.why === 'gone') return null;
    throw error;
  }
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const paragraph = (name: string, text: string | null) =>
  text === null ? [] : [`<b>${name}</b><br />${escaped(text).replaceAll('\n', '<br />')}`];

/** A project's description in Wrike, as HTML. */
const descriptionOf = ({ outcome, baseline }: MirroredProject): string =>
  [
    ...paragraph('Outcome', outcome),
    ...paragraph('Baseline', baseline),
    'This project is a copy. Changes to its title, description, dates and status, and to the titles, due dates and status of its tasks, don’t go back, and may be overwritten.',
  ].join('<br /><br />');

/** What differs from what was last sent, so that nothing else is written. */
function projectFields(
  now: MirroredProject,
  sent: MirroredProject | null = null,
): WrikeProjectFields {
  const is = (...names: (keyof MirroredProject)[]) =>
    names.some((name) => (sent ? sent[name] : null) !== now[name]);
  return {
    ...(is('title') && { title: now.title }),
    ...((!sent || is('outcome', 'baseline')) && { description: descriptionOf(now) }),
    ...(is('status') && { status: now.status }),
    ...(is('start_on') && { startDate: now.start_on }),
    ...(is('due_on') && { endDate: now.due_on }),
  };
}

function taskFields(now: MirroredTask, sent: MirroredTask | null = null): WrikeTaskFields {
  const is = (name: keyof MirroredTask) => (sent ? sent[name] : null) !== now[name];
  return {
    ...(is('title') && { title: now.title }),
    ...(is('due_on') && { dueDate: now.due_on }),
    ...(is('is_done') && { status: now.is_done ? ('Completed' as const) : ('Active' as const) }),
  };
}
