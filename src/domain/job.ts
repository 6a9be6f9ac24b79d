/** Background jobs as admins see them: states, kinds, and the list's filters. */
import { choiceParam, type FilterOf, filterCodec, placeParam, textParam } from './list.ts';

export const JOB_STATES = ['waiting', 'running', 'failed', 'done', 'dropped', 'scheduled'] as const;
export type JobState = (typeof JOB_STATES)[number];

export const JOB_STATE_LABELS: Record<JobState, string> = {
  waiting: 'Waiting',
  running: 'Running',
  failed: 'Failed',
  done: 'Done',
  dropped: 'No longer needed',
  scheduled: 'Runs regularly',
};

/** Names of kinds and of emails, made readable: `delete_old_jobs` is "Delete old jobs". */
export function kindText(name: string): string {
  const words = name.replace(/[_-]/g, ' ');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

export const jobFilter = filterCodec({
  /** Of an email's recipient. */
  words: textParam('q'),
  state: choiceParam('state', JOB_STATES, null),
  kind: choiceParam('kind', ['mail', 'other'], null),
  sort: choiceParam('sort', ['newest', 'oldest'], 'newest'),
  place: placeParam(),
});
export type JobFilter = FilterOf<typeof jobFilter>;
