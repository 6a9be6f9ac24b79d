import * as v from 'valibot';
import { defineKind, quoted, sendWith } from '../kind.ts';

const schema = v.object({ id: v.string(), projectId: v.string(), body: v.string() });

/** A project update; its key is the update's id. */
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
