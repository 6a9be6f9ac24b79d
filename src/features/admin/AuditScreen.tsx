import { useStore } from '@nanostores/react';
import { useMemo } from 'react';
import { type AuditEntry, listAudit } from '#data/audit.ts';
import {
  ACTION_LABELS,
  AUDIT_ACTIONS,
  type AuditFilter,
  auditFilter,
  detailLines,
} from '#domain/audit.ts';
import type { ListPage } from '#domain/list.ts';
import { momentText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { hrefIfExists } from '#lib/routing/routes.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { Notice } from '#ui/Notice.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import type { DataColumn } from '#ui/table/columns.ts';
import { AdminList, type AdminListStore, useAdminList } from './list/AdminList.tsx';

interface AuditProps {
  filter: AuditFilter;
  page: ListPage<AuditEntry>;
  /** The reader's IANA time zone. */
  timeZone: string;
}

const labels: Record<string, string> = ACTION_LABELS;
const labelOf = (action: string) => labels[action] ?? action;

const columnsIn = (timeZone: string): DataColumn<AuditEntry>[] => [
  {
    id: 'action',
    header: 'What happened',
    isRowHeader: true,
    cell: ({ action, about }) => (
      <>
        {labelOf(action)}
        {about && <span className="text-muted">: {about}</span>}
      </>
    ),
    csv: ({ action }) => action,
  },
  { id: 'about', header: 'About', csv: ({ about, entity_id }) => about ?? entity_id },
  {
    id: 'actor',
    header: 'Who',
    breaks: 'rarely',
    onCard: 'bare',
    cell: ({ actor }) => (actor ? (actor.name ?? 'Deleted account') : 'The system'),
    csv: ({ actor }) => actor?.name ?? actor?.id ?? null,
  },
  {
    id: 'at',
    header: 'When',
    sort: { descending: 'newest' },
    breaks: 'never',
    onCard: 'bare',
    cell: ({ at }) => momentText(at, timeZone),
    csv: ({ at }) => at,
  },
  {
    id: 'reason',
    header: 'Why',
    none: 'No reason',
    cell: ({ reason }) => reason,
    csv: ({ reason }) => reason,
  },
  {
    id: 'details',
    header: 'Details',
    onCard: 'bare',
    none: 'No details',
    cell: ({ details }) => {
      const lines = detailLines(details);
      return (
        lines.length > 0 && (
          <ul className="max-w-[40ch] text-muted wrap-anywhere md:text-sm">
            {lines.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        )
      );
    },
    csv: ({ details }) => detailLines(details).join('; '),
  },
];

/** Says that the list is about one person or business, with a way to it and to the whole log. */
function About({ list }: { list: AdminListStore<AuditEntry, AuditFilter> }) {
  const { person, business } = useStore(list.$filter, { ssr: 'initial' });
  if (!person && !business) return null;
  const page = person
    ? { href: hrefFor('/admin/people/[id]', { id: person }), text: 'Their page' }
    : { href: hrefIfExists(`/admin/businesses/${business}`), text: 'Its page' };
  return (
    <Notice title={person ? 'Only what’s about one person' : 'Only what’s about one business'}>
      <p className="flex flex-wrap gap-x-4 gap-y-1">
        {page.href && (
          <a className="link" href={page.href}>
            {page.text}
          </a>
        )}
        <a className="link" href={hrefFor('/admin/audit')}>
          The whole log
        </a>
      </p>
    </Notice>
  );
}

/** Who saw or changed what, when and why. */
function AuditScreen({ filter, page, timeZone }: AuditProps) {
  const list = useAdminList<AuditEntry, AuditFilter>(
    { path: hrefFor('/admin/audit'), codec: auditFilter, read: listAudit },
    { filter, page },
  );
  const columns = useMemo(() => columnsIn(timeZone), [timeZone]);
  return (
    <div className="flex flex-col gap-6">
      <header>
        <h1>Audit log</h1>
        <p className="mt-2 max-w-[60ch] text-muted">
          What admins read and changed, and when. Nobody can edit or delete an entry.
        </p>
      </header>
      <About list={list} />
      <AdminList
        list={list}
        codec={auditFilter}
        caption="Audit log"
        noun={['entry', 'entries']}
        columns={columns}
        onlyLinks
        nameOf={({ action }) => labelOf(action)}
        searchBy="name, email or business"
        choices={[
          {
            key: 'action',
            label: 'Action',
            any: 'Any',
            options: AUDIT_ACTIONS.map((value) => ({ value, label: ACTION_LABELS[value] })),
          },
          {
            key: 'kind',
            label: 'Show',
            any: 'Everything',
            options: [
              { value: 'changes', label: 'Only changes' },
              { value: 'reads', label: 'Only what was read' },
            ],
          },
        ]}
        days={[
          { key: 'from', label: 'From' },
          { key: 'to', label: 'To' },
        ]}
        name="audit-log"
        empty={
          <EmptyState title="Nothing recorded yet">
            When an admin opens or changes someone’s data, it’s listed here.
          </EmptyState>
        }
      />
    </div>
  );
}

export default screen(AuditScreen);
