/** The columns of the list of HubSpot records. */
import type { HubSpotRecord } from '#data/hubspot.ts';
import { HUBSPOT_KIND_LABELS, RECORD_CHANGE_LABELS, RECORD_STATE_LABELS } from '#domain/hubspot.ts';
import { momentText } from '#lib/locale/dates.ts';
import type { DataColumn } from '#ui/table/columns.ts';

export const labelOf = ({ label }: HubSpotRecord) => label;

function stateText({ state, wants }: HubSpotRecord): string {
  if (wants !== 'save' && (state === 'waiting' || state === 'sending')) {
    return wants === 'erase' ? 'Waiting to be erased' : 'Waiting to be removed';
  }
  return RECORD_STATE_LABELS[state];
}

const changesText = ({ changes }: HubSpotRecord) =>
  changes.map((change) => `${change.property}: ${change.old ?? ''} → ${change.new}`).join('; ');

/** What the dry run found: each property with its old value, if there is one, and the new one. */
function Changes({ record }: { record: HubSpotRecord }) {
  if (!record.change) return null;
  return (
    <>
      {RECORD_CHANGE_LABELS[record.change]}
      {record.changes.length > 0 && (
        <ul className="mt-1 text-xs wrap-anywhere">
          {record.changes.map((change) => (
            <li key={change.property}>
              <span className="text-muted">{change.property}: </span>
              {change.old && (
                <>
                  <del>{change.old}</del>
                  <span aria-hidden="true"> → </span>
                </>
              )}
              <ins className="no-underline">{change.new}</ins>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

export const columnsIn = (timeZone: string): DataColumn<HubSpotRecord>[] => [
  {
    id: 'label',
    header: 'Record',
    isRowHeader: true,
    sort: { ascending: 'name' },
    cell: ({ kind, label }) => (
      <span className="block wrap-anywhere">
        {label}
        <span className="block text-xs font-normal text-muted">{HUBSPOT_KIND_LABELS[kind]}</span>
      </span>
    ),
    csv: labelOf,
  },
  { id: 'kind', header: 'Kind', csv: ({ kind }) => HUBSPOT_KIND_LABELS[kind] },
  { id: 'state', header: 'State', cell: stateText, csv: stateText },
  {
    id: 'change',
    header: 'Dry run',
    none: 'Not looked at',
    cell: (record) => (record.change ? <Changes record={record} /> : null),
    csv: (record) =>
      record.change && `${RECORD_CHANGE_LABELS[record.change]} ${changesText(record)}`.trim(),
  },
  {
    id: 'reason',
    header: 'Why it was refused',
    none: 'It wasn’t refused',
    breaks: 'anywhere',
    cell: ({ reason }) => reason,
    csv: ({ reason }) => reason,
  },
  {
    id: 'sent',
    header: 'Last sent',
    from: 'wide',
    none: 'Never',
    cell: ({ sent_at }) => sent_at && momentText(sent_at, timeZone),
    csv: ({ sent_at }) => sent_at,
  },
];
