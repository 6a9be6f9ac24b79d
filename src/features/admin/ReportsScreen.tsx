import { useStore } from '@nanostores/react';
import { useState } from 'react';
import type { Report, ReportPage } from '#data/message-reports.ts';
import { KIND_LABELS } from '#domain/message.ts';
import { OUTCOME_LABELS, REASON_LABELS, type ReportState } from '#domain/message-report.ts';
import { db } from '#lib/db.ts';
import { momentText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { Button } from '#ui/Button.tsx';
import { ChoiceLinks } from '#ui/ChoiceLinks.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { Failure } from '#ui/Failure.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { ReportDialog } from './ReportDialog.tsx';
import { createReportsStore, type ReportsStore } from './reports-store.ts';

interface ReportsProps {
  page: ReportPage;
  state: ReportState;
  /** The reader's IANA time zone. */
  timeZone: string;
}

const VIEWS = [
  ['open', 'Open'],
  ['settled', 'Resolved'],
] as const;

/** Lists reported messages. Admins open conversations one at a time, and each look is logged. */
function ReportsScreen({ page, state, timeZone }: ReportsProps) {
  const [store] = useState(() => createReportsStore(db, page, state));
  const reports = useStore(store.$reports, { ssr: 'initial' });
  const more = useStore(store.$more, { ssr: 'initial' });
  const busy = useStore(store.$busy, { ssr: 'initial' });
  const failure = useStore(store.$failure, { ssr: 'initial' });
  const reading = useStore(store.$reading, { ssr: 'initial' });
  return (
    <div className="flex flex-col gap-6">
      <header>
        <h1>Reported messages</h1>
        <p className="mt-2 max-w-[60ch] text-muted">
          Someone in the conversation asked us to take a look. Nobody outside it can read the
          messages until an admin opens the report, and we log that with your name.
        </p>
      </header>
      <Views state={state} />
      <Failure failure={failure} title="We couldn’t load this" />
      {reports.length === 0 ? (
        <EmptyState title={state === 'open' ? 'No open reports' : 'No resolved reports yet'}>
          {state === 'open'
            ? 'When someone reports a message, it shows up here until an admin resolves it.'
            : 'Your decisions stay here for six months.'}
        </EmptyState>
      ) : (
        <ul className="flex flex-col gap-4">
          {reports.map((report) => (
            <Row
              key={report.id}
              report={report}
              timeZone={timeZone}
              store={store}
              busy={busy === 'read'}
            />
          ))}
        </ul>
      )}
      {more && (
        <div>
          <Button variant="secondary" pending={busy === 'list'} onClick={() => void store.more()}>
            Show older reports
          </Button>
        </div>
      )}
      {reading && <ReportDialog store={store} reading={reading} timeZone={timeZone} />}
    </div>
  );
}

const Views = ({ state }: { state: ReportState }) => (
  <ChoiceLinks
    label="View"
    options={VIEWS.map(([view, name]) => ({
      name,
      href: `${hrefFor('/admin/messages')}${view === 'open' ? '' : `?state=${view}`}`,
      isChosen: state === view,
    }))}
    arePages
  />
);

interface RowProps {
  report: Report;
  timeZone: string;
  store: ReportsStore;
  busy: boolean;
}

const nameOf = (person: Report['author']) => person?.name ?? 'Deleted account';

function Row({ report, timeZone, store, busy }: RowProps) {
  const { id, reason, note, created_at, kind, author, reporter, outcome } = report;
  return (
    <li className="card flex flex-col gap-3 p-5 [overflow-wrap:anywhere] md:p-6">
      <div>
        <p className="eyebrow">
          {REASON_LABELS[reason]}
          {kind && ` · ${KIND_LABELS[kind]}`}
        </p>
        <h2 className="mt-1 text-lg">Message from {nameOf(author)}</h2>
        <p className="text-sm text-muted">
          Reported by {nameOf(reporter)}, {momentText(created_at, timeZone)}
        </p>
      </div>
      {note && <p className="text-sm whitespace-pre-line">{note}</p>}
      {outcome && (
        <p className="text-sm">
          {OUTCOME_LABELS[outcome]}
          {report.settled_at &&
            ` · ${report.settled_by ?? 'an admin'}, ${momentText(report.settled_at, timeZone)}`}
        </p>
      )}
      <div>
        <Button size="small" variant="secondary" pending={busy} onClick={() => void store.read(id)}>
          Read the conversation
          <span className="sr-only"> with {nameOf(author)}</span>
        </Button>
      </div>
    </li>
  );
}

export default screen(ReportsScreen);
