import * as v from 'valibot';
import { createRemoteApi } from './remote-api.ts';
import { setting } from './settings.ts';

/** Our id's key in Wrike's metadata, which other applications don't see. */
const ID_KEY = 'trellis_id';
/** How many folders a page has; Wrike allows 1,000. */
const PAGE = 500;
/** The API's addresses, one for each data center: https://developers.wrike.com/docs/oauth-20-authorization */
const DEFAULT_BASE = 'https://www.wrike.com/api/v4';

const refusal = v.object({ error: v.string(), errorDescription: v.string() });

const listOf = <Item extends v.GenericSchema>(item: Item) =>
  v.object({ kind: v.string(), data: v.array(item), nextPageToken: v.optional(v.string()) });

const account = v.object({ id: v.string(), name: v.string() });
export type WrikeAccount = v.InferOutput<typeof account>;

const folder = v.object({
  id: v.string(),
  title: v.string(),
  childIds: v.optional(v.array(v.string()), []),
  space: v.optional(v.boolean(), false),
});
export type WrikeFolder = v.InferOutput<typeof folder>;

/** A project or task, as far as we need to know it. */
const made = v.object({ id: v.string(), permalink: v.optional(v.string()) });
export type WrikeMade = v.InferOutput<typeof made>;

/** Wrike's names of the statuses that we send. */
export type WrikeStatus = 'Green' | 'Red' | 'OnHold' | 'Completed' | 'Cancelled';

/** What can be written of a project. Dates are like 2026-11-28; null removes one. */
export interface WrikeProjectFields {
  title?: string;
  /** HTML. */
  description?: string;
  status?: WrikeStatus;
  startDate?: string | null;
  endDate?: string | null;
}

/** What can be written of a task. */
export interface WrikeTaskFields {
  title?: string;
  /** The day it's due; null makes it a task without a date. */
  dueDate?: string | null;
  status?: 'Active' | 'Completed';
  /** The task of the same project that it's listed after or before. */
  priorityAfter?: string;
  priorityBefore?: string;
}

/** Wrike's documented REST API, as far as we use it. Every call throws a RemoteError. */
export interface Wrike {
  /** The host that's asked, which belongs to a data center. */
  readonly host: string;
  account(): Promise<WrikeAccount>;
  /** A page of the account's folders that aren't projects, and the next page's token, if there is one. */
  folders(pageToken: string | null): Promise<{ folders: WrikeFolder[]; next: string | null }>;
  /** The project with an id of ours, unless it's in the recycle bin. */
  findProject(id: string): Promise<WrikeMade | null>;
  createProject(folderId: string, id: string, fields: WrikeProjectFields): Promise<WrikeMade>;
  updateProject(wrikeId: string, fields: WrikeProjectFields): Promise<WrikeMade>;
  /** Moves a folder or project to Wrike's recycle bin. */
  deleteProject(wrikeId: string): Promise<void>;
  /** The task of a project with an id of ours. */
  findTask(projectId: string, id: string): Promise<WrikeMade | null>;
  createTask(projectId: string, id: string, fields: WrikeTaskFields): Promise<WrikeMade>;
  updateTask(wrikeId: string, fields: WrikeTaskFields): Promise<WrikeMade>;
  deleteTask(wrikeId: string): Promise<void>;
}

/**
 * A client with WRIKE_TOKEN; null without one. WRIKE_API_BASE is the address of the data center that
 * the account is in.
 * @param patience the timeout of a request and the first pause when Wrike is busy, in ms
 */
export function wrike(
  signal: AbortSignal,
  patience: { requestLimit: number; pause: number },
): Wrike | null {
  const token = setting('WRIKE_TOKEN');
  if (!token) return null;
  const base = setting('WRIKE_API_BASE') || DEFAULT_BASE;
  const ask = createRemoteApi({
    ...{ name: 'Wrike', base, token, signal },
    timeLimit: patience.requestLimit,
    backoff: patience.pause,
    // 403 is about one folder or task that isn't shared with us.
    denials: [401],
    messageOf: (body) => (v.is(refusal, body) ? body.errorDescription : null),
  });
  const first = async (method: string, path: string, fields: URLSearchParams) => {
    const { data } = await ask(v.object({ data: v.tuple([made]) }), method, path, fields);
    return data[0];
  };
  const find = async (path: string, id: string) => {
    const query = formOf({ metadata: { key: ID_KEY, value: id }, pageSize: 1 });
    const { data } = await ask(listOf(made), 'GET', `${path}?${query}`);
    return data[0] ?? null;
  };
  const at = (kind: 'folders' | 'tasks', id: string) => `/${kind}/${encodeURIComponent(id)}`;
  return {
    host: URL.canParse(base) ? new URL(base).host : base,
    async account() {
      const answer = await ask(v.object({ data: v.tuple([account]) }), 'GET', '/account');
      return answer.data[0];
    },
    async folders(pageToken) {
      // A filter makes Wrike answer in pages; optional fields have to be asked for on each.
      const query = formOf({
        project: false,
        deleted: false,
        fields: ['space'],
        pageSize: PAGE,
        ...(pageToken !== null && { nextPageToken: pageToken }),
      });
      const answer = await ask(listOf(folder), 'GET', `/folders?${query}`);
      return { folders: answer.data, next: answer.nextPageToken ?? null };
    },
    findProject: (id) => find('/folders', id),
    createProject: (folderId, id, fields) =>
      first(
        'POST',
        `${at('folders', folderId)}/folders`,
        formOf({ ...projectForm(fields), metadata: [{ key: ID_KEY, value: id }] }),
      ),
    updateProject: (wrikeId, fields) =>
      first('PUT', at('folders', wrikeId), formOf(projectForm(fields))),
    async deleteProject(wrikeId) {
      await ask(v.unknown(), 'DELETE', at('folders', wrikeId));
    },
    findTask: (projectId, id) => find(`${at('folders', projectId)}/tasks`, id),
    createTask: (projectId, id, fields) =>
      first(
        'POST',
        `${at('folders', projectId)}/tasks`,
        formOf({ ...taskForm(fields), metadata: [{ key: ID_KEY, value: id }] }),
      ),
    updateTask: (wrikeId, fields) => first('PUT', at('tasks', wrikeId), formOf(taskForm(fields))),
    async deleteTask(wrikeId) {
      await ask(v.unknown(), 'DELETE', at('tasks', wrikeId));
    },
  };
}

/** Wrike takes parameters as a form, in which a value other than text is JSON. */
function formOf(params: Record<string, unknown>): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    form.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return form;
}

/** A project is a folder with these details. Without any, an update leaves them alone. */
function projectForm({ title, description, ...details }: WrikeProjectFields) {
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(Object.keys(details).length > 0 && { project: details }),
  };
}

function taskForm({ dueDate, ...fields }: WrikeTaskFields) {
  if (dueDate === undefined) return fields;
  const dates =
    dueDate === null
      ? { type: 'Backlog' }
      : // A day's work on the day it's due, which may be a Sunday.
        { type: 'Planned', start: dueDate, due: dueDate, workOnWeekends: true };
  return { ...fields, dates };
}
