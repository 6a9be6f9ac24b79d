import * as z from 'zod/mini';
import { defineKind, quoted, sendWith } from '../kind.ts';

const schema = z.object({ id: z.string(), projectId: z.string(), body: z.string() });

export type WrittenUpdate = z.infer<typeof schema>;

/** An update of a project; its key is the update's id. */
export const updateKind = defineKind({
  name: 'project-update',
  schema,
  send: (update) =>
    sendWith(
      () => import('#data/projects.ts'),
      ({ createProjectUpdate }, client) => createProjectUpdate(client, update),
    ),
  summarize: ({ body }) => quoted('A project update', body),
});
