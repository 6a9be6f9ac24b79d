import { useState } from 'react';
import type { HubSpotSync } from '#data/hubspot.ts';
import { HUBSPOT_FIELDS, HUBSPOT_KIND_LABELS, type HubSpotMapping } from '#domain/hubspot.ts';
import { Button } from '#ui/Button.tsx';
import { Section } from '#ui/Section.tsx';
import type { DataColumn } from '#ui/table/columns.ts';
import { PlainTable } from '#ui/table/PlainTable.tsx';
import { useOpenedPart } from '#ui/use-part.ts';

const loadDialog = () => import('./MappingDialog.tsx');

interface MappingProps {
  sync: HubSpotSync;
  /** Throws an AppError, which the dialog shows. */
  onSave: (mapping: HubSpotMapping) => Promise<void>;
}

type Field = (typeof HUBSPOT_FIELDS)[number] & { id: string };

const FIELDS = HUBSPOT_FIELDS.map(
  (field): Field => ({ ...field, id: `${field.kind} ${field.name}` }),
);

/** The last column is what a check said about each field's property, once there was one. */
const columnsOf = ({ mapping, connection }: HubSpotSync): DataColumn<Field>[] => [
  {
    id: 'field',
    header: 'Here',
    isRowHeader: true,
    cell: ({ kind, label }) => `${HUBSPOT_KIND_LABELS[kind]}: ${label}`,
  },
  {
    id: 'property',
    header: 'HubSpot property',
    onCard: 'bare',
    cell: ({ kind, name }) =>
      mapping[kind][name] ? <code>{mapping[kind][name]}</code> : 'Not sent',
  },
  {
    id: 'check',
    header: 'Check',
    none: 'Nothing to check',
    onCard: 'bare',
    cell: ({ kind, name }) => {
      if (!connection?.is_connected || !mapping[kind][name]) return null;
      const misfit = connection.problems.find((each) => each.kind === kind && each.field === name);
      return misfit ? <span className="text-danger">{misfit.reason}</span> : 'It fits';
    },
  },
];

/** Which field is sent as which HubSpot property, and whether that property can take it. */
export function Mapping({ sync, onSave }: MappingProps) {
  const { mapping, connection, state } = sync;
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const part = useOpenedPart(loadDialog, isOpen, close);
  const isBusy = state === 'live' || state === 'previewing';

  const columns = columnsOf(sync);
  return (
    <Section id="mapping" title="Fields">
      <p className="mt-1 max-w-[68ch] text-sm text-muted">
        Only for people who confirmed the newsletter, and for their businesses. Never notes,
        answers, scores or demographics. HubSpot also shows a contact with their company.
      </p>
      <div className="mt-3">
        <PlainTable caption="Fields" columns={columns} rows={FIELDS} />
      </div>
      {connection?.is_connected && (
        <div className="mt-3 flex flex-wrap items-center gap-3">
          <Button
            size="small"
            variant="secondary"
            needsScript
            disabled={isBusy}
            onClick={() => setOpen(true)}
          >
            Change
            <span className="sr-only"> the fields</span>
          </Button>
          {isBusy && <p className="text-sm text-muted">Stop first to change this.</p>}
        </div>
      )}
      {isOpen && part && connection && (
        <part.MappingDialog
          mapping={mapping}
          properties={connection.properties}
          onSave={onSave}
          onClose={close}
        />
      )}
    </Section>
  );
}
