import { useMemo } from 'react';
import { createIssue, type ListedIssue, listIssues } from '#data/newsletter.ts';
import type { ListPage } from '#domain/list.ts';
import {
  ISSUE_STATE_LABELS,
  ISSUE_STATES,
  type IssueFilter,
  issueFilter,
} from '#domain/newsletter.ts';
import { db } from '#lib/db.ts';
import { momentText } from '#lib/locale/dates.ts';
import { wholeText } from '#lib/locale/numbers.ts';
import { newId } from '#lib/new-id.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { reportError } from '#stores/session.ts';
import { Button } from '#ui/Button.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { Failure } from '#ui/Failure.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import type { DataColumn } from '#ui/table/columns.ts';
import { useAction } from '#ui/use-action.ts';
import { AdminList, useAdminList } from './list/AdminList.tsx';

interface NewsletterProps {
  filter: IssueFilter;
  page: ListPage<ListedIssue>;
  /** The reader's IANA time zone. */
  timeZone: string;
}

const nameOf = ({ subject }: ListedIssue) => subject || 'New issue';
/** When it went out or will, or was last changed. */
const timeOf = ({ begun_at, send_at, updated_at }: ListedIssue) =>
  begun_at ?? send_at ?? updated_at;
const timeLabelOf = ({ begun_at, send_at }: ListedIssue) =>
  begun_at ? 'Sent' : send_at ? 'Due' : 'Changed';

const columnsIn = (timeZone: string): DataColumn<ListedIssue>[] => [
  {
    id: 'subject',
    header: 'Subject',
    isRowHeader: true,
    cell: (issue) => (
      <a className="link wrap-anywhere" href={hrefFor('/admin/newsletter/[id]', { id: issue.id })}>
        {nameOf(issue)}
      </a>
    ),
    csv: nameOf,
  },
  {
    id: 'state',
    header: 'State',
    onCard: 'bare',
    breaks: 'never',
    isUsual: ({ state }) => state === 'sent',
    cell: ({ state }) => ISSUE_STATE_LABELS[state],
    csv: ({ state }) => ISSUE_STATE_LABELS[state],
  },
  {
    id: 'when',
    header: 'Sent, due or changed',
    breaks: 'never',
    onCard: 'bare',
    cell: (issue) => (
      <>
        <span className="md:hidden">{timeLabelOf(issue)} </span>
        {momentText(timeOf(issue), timeZone)}
      </>
    ),
    csv: timeOf,
  },
  {
    id: 'sent',
    header: 'Sent to',
    align: 'right',
    none: 'Nobody',
    cell: ({ begun_at, delivered, recipients }) =>
      begun_at && `${wholeText(delivered)} of ${wholeText(recipients)}`,
    csv: ({ delivered }) => delivered,
  },
  {
    id: 'refused',
    header: 'Bounced',
    align: 'right',
    from: 'wide',
    none: 'None',
    cell: ({ refused }) => refused || null,
    csv: ({ refused }) => refused,
  },
];

/** All issues of the newsletter: drafts, those being sent, and those that were. */
function NewsletterScreen({ filter, page, timeZone }: NewsletterProps) {
  const list = useAdminList<ListedIssue, IssueFilter>(
    { path: hrefFor('/admin/newsletter'), codec: issueFilter, read: listIssues },
    { filter, page },
  );
  const columns = useMemo(() => columnsIn(timeZone), [timeZone]);
  const { pending, failure, run } = useAction(reportError);
  const write = () =>
    void run(async () => {
      const id = newId();
      await createIssue(await db(), id);
      location.assign(hrefFor('/admin/newsletter/[id]', { id }));
      return 'leaving';
    });
  return (
    <div className="flex flex-col gap-6">
      <header className="flex flex-wrap items-start justify-between gap-4">
        <div>
          <h1>Newsletter</h1>
          <p className="mt-2 max-w-[60ch] text-muted">
            Written here and sent once to everyone who confirmed their subscription. What was sent
            is on the{' '}
            <a className="link" href={hrefFor('/newsletter')}>
              newsletter page
            </a>
            .
          </p>
        </div>
        <Button needsScript pending={pending} onClick={write}>
          Write an issue
        </Button>
      </header>
      <Failure failure={failure} />
      <AdminList
        list={list}
        codec={issueFilter}
        caption="Issues"
        noun={['issue', 'issues']}
        columns={columns}
        onlyLinks
        nameOf={nameOf}
        searchBy="subject"
        choices={[
          {
            key: 'state',
            label: 'State',
            any: 'Any',
            options: ISSUE_STATES.map((value) => ({ value, label: ISSUE_STATE_LABELS[value] })),
          },
        ]}
        name="newsletter"
        empty={
          <EmptyState title="No issues yet">Write the first one with the button above.</EmptyState>
        }
      />
    </div>
  );
}

export default screen(NewsletterScreen);
