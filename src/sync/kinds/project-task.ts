import * as z from 'zod/mini';
import { defineKind, quoted, sendWith } from '../kind.ts';

const schema = z.object({
  id: z.string(),
  projectId: z.string(),
  title: z.string(),
  /** `2026-12-21`, or empty. */
  dueOn: z.string(),
});

export type WrittenTask = z.infer<typeof schema>;

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
