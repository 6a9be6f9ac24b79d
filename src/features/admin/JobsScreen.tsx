import { useMemo, useState } from 'react';
import { getFailedJobCount, type ListedJob, listJobs, replayJobs } from '#data/jobs.ts';
import { JOB_STATE_LABELS, JOB_STATES, type JobFilter, jobFilter, jobText } from '#domain/job.ts';
import type { ListPage } from '#domain/list.ts';
import { createAttempt } from '#lib/attempt.ts';
import { db } from '#lib/db.ts';
import { nearMomentText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { sessionEnded } from '#stores/session.ts';
import { addFailureToast, addToast } from '#stores/toasts.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { Notice } from '#ui/Notice.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import type { DataColumn } from '#ui/table/columns.ts';
import type { BulkAction } from '#ui/table/DataTable.tsx';
import { AdminList, useAdminList } from './list/AdminList.tsx';

interface JobsProps {
  filter: JobFilter;
  page: ListPage<ListedJob>;
  /** How many jobs failed, whatever the list shows. */
  failed: number;
  /** The reader's IANA time zone. */
  timeZone: string;
  /** The day there. */
  today: string;
}

/** When a job runs next or ran last. */
const runOf = ({ state, run_at, finished_at }: ListedJob) =>
  state === 'scheduled' ? run_at : (finished_at ?? run_at);

const columnsIn = (timeZone: string, today: string): DataColumn<ListedJob>[] => [
  { id: 'name', header: 'Job', isRowHeader: true, cell: jobText, csv: jobText },
  {
    id: 'about',
    header: 'About',
    onCard: 'bare',
    none: 'Nothing in particular',
    breaks: 'anywhere',
    cell: ({ to, path }) => to ?? path,
    csv: ({ to, path }) => to ?? path,
  },
  {
    id: 'state',
    header: 'State',
    breaks: 'never',
    onCard: 'bare',
    isUsual: ({ state }) => state === 'scheduled',
    cell: ({ state }) => JOB_STATE_LABELS[state],
    csv: ({ state }) => JOB_STATE_LABELS[state],
  },
  {
    id: 'error',
    header: 'Why it failed',
    none: 'It hasn’t failed',
    breaks: 'anywhere',
    cell: ({ error }) => error,
    csv: ({ error }) => error,
  },
  {
    id: 'attempts',
    header: 'Attempts',
    align: 'right',
    from: 'wide',
    none: 'None',
    cell: ({ attempts }) => attempts || null,
    csv: ({ attempts }) => attempts,
  },
  {
    id: 'created',
    header: 'Added',
    sort: { ascending: 'oldest', descending: 'newest' },
    breaks: 'never',
    onCard: 'hidden',
    cell: ({ created_at }) => nearMomentText(created_at, timeZone, today),
    csv: ({ created_at }) => created_at,
  },
  {
    id: 'due',
    header: 'Run',
    breaks: 'never',
    onCard: 'bare',
    cell: (job) => (
      <>
        {job.finished_at && job.state !== 'scheduled' ? 'Ran' : 'Next'}{' '}
        <time dateTime={runOf(job)}>{nearMomentText(runOf(job), timeZone, today)}</time>
      </>
    ),
    csv: runOf,
  },
];

const countText = (count: number) => `${count} ${count === 1 ? 'job' : 'jobs'}`;

/** Says first whether anything failed, and leads to it. */
const Failed = ({ count }: { count: number }) =>
  count === 0 ? (
    <Notice tone="good" title="Nothing failed." />
  ) : (
    <Notice tone="caution" title={`${countText(count)} failed.`}>
      <a className="link" href={`${hrefFor('/admin/jobs')}${FAILED}`}>
        See why
      </a>
      , then select jobs to run them again.
    </Notice>
  );

const FAILED = jobFilter.write({ ...jobFilter.read(new URLSearchParams()), state: 'failed' });

/** What the product does in the background, and what of it failed. */
function JobsScreen({ filter, page, failed: initial, timeZone, today }: JobsProps) {
  const [failed, setFailed] = useState(initial);
  const list = useAdminList<ListedJob, JobFilter>(
    { path: hrefFor('/admin/jobs'), codec: jobFilter, read: listJobs },
    { filter, page },
  );
  const columns = useMemo(() => columnsIn(timeZone, today), [timeZone, today]);
  const [attempt] = useState(() =>
    createAttempt({ db, signedOut: sessionEnded, showFailure: addFailureToast }),
  );

  async function replay(jobs: readonly ListedJob[]) {
    const isDone = await attempt(
      'We couldn’t run them again',
      async (client) => {
        for (const { id } of jobs) await replayJobs(client, id);
        setFailed(await getFailedJobCount(client));
      },
      () => void replay(jobs),
    );
    if (isDone) addToast({ tone: 'good', title: `${countText(jobs.length)} will run again.` });
    await list.choose({ place: list.$filter.get().place });
  }

  const actions = (jobs: readonly ListedJob[]): BulkAction[] =>
    jobs.every(({ state }) => state === 'failed')
      ? [{ label: 'Run again', done: 'running again', onRun: () => void replay(jobs) }]
      : [];

  return (
    <div className="flex flex-col gap-6">
      <header>
        <h1>Background jobs</h1>
        <p className="mt-2 max-w-[60ch] text-muted">
          Emails, files to remove and regular work. Finished jobs are kept for 30 days.
        </p>
      </header>
      <Failed count={failed} />
      <AdminList
        list={list}
        codec={jobFilter}
        caption="Jobs"
        noun={['job', 'jobs']}
        columns={columns}
        nameOf={jobText}
        actions={actions}
        onlyLinks
        searchBy="the recipient of an email"
        choices={[
          {
            key: 'state',
            label: 'State',
            any: 'Any',
            options: JOB_STATES.map((value) => ({ value, label: JOB_STATE_LABELS[value] })),
          },
          {
            key: 'kind',
            label: 'Kind',
            any: 'All',
            options: [
              { value: 'mail', label: 'Emails' },
              { value: 'other', label: 'Other work' },
            ],
          },
        ]}
        name="jobs"
        empty={<EmptyState title="No jobs">Background work shows up here.</EmptyState>}
      />
    </div>
  );
}

export default screen(JobsScreen);
