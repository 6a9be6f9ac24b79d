import * as v from 'valibot';
import { defineKind, quoted, sendWith } from '../kind.ts';

const schema = v.object({
  id: v.string(),
  projectId: v.string(),
  title: v.string(),
  /** `2026-12-21`, or empty. */
  dueOn: v.string(),
});

export type WrittenTask = v.InferOutput<typeof schema>;

/** A new task of a project; its key is the task's id. */
export const taskKind = defineKind({
  name: 'project-task',
  schema,
  send: ({ projectId, ...task }) =>
    sendWith(
      () => import('#data/project-tasks.ts'),
      ({ createProjectTask }, client) => createProjectTask(client, projectId, task),
    ),
  summarize: ({ title }) => quoted('A task', title),
});
