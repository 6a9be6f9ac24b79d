/** What happened lately, for a person's first page. */
import * as v from 'valibot';
import { PROJECT_STATUSES } from '#domain/project.ts';

export const news = v.object({
  /** A notification, or a step or an update of a project by someone else. */
  kind: v.picklist(['notification', 'moved', 'update']),
  /** The notification's or the project's. */
  id: v.string(),
  title: v.string(),
  /** Who did it, if the user may see their name. */
  by: v.nullable(v.string()),
  /** What the project moved to. */
  status: v.nullable(v.picklist(PROJECT_STATUSES)),
  at: v.string(),
});
export type News = v.InferOutput<typeof news>;
