import { useState } from 'react';
import type { HubSpotSync } from '#data/hubspot.ts';
import { HUBSPOT_FIELDS, HUBSPOT_KIND_LABELS, type HubSpotMapping } from '#domain/hubspot.ts';
import { Button } from '#ui/Button.tsx';
import { Section } from '#ui/Section.tsx';
import { useOpenedPart } from '#ui/use-part.ts';

const loadDialog = () => import('./MappingDialog.tsx');

interface MappingProps {
  sync: HubSpotSync;
  /** Throws an AppError, which the dialog shows. */
  onSave: (mapping: HubSpotMapping) => Promise<void>;
}

/** Which field is sent as which HubSpot property, and whether that property can take it. */
export function Mapping({ sync, onSave }: MappingProps) {
  const { mapping, connection, state } = sync;
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const part = useOpenedPart(loadDialog, isOpen, close);
  const isBusy = state === 'live' || state === 'previewing';

  /** What the check said about a field's property. */
  function fitText(kind: 'contact' | 'company', name: string) {
    if (!mapping[kind][name]) return 'Not sent';
    if (!connection?.is_connected) return 'Not checked';
    const misfit = connection.problems.find((each) => each.kind === kind && each.field === name);
    return misfit ? <span className="text-danger">{misfit.reason}</span> : 'It fits';
  }

  return (
    <Section id="mapping" title="Fields">
      <p className="mt-1 max-w-[68ch] text-sm text-muted">
        Only for people who confirmed the newsletter, and for their businesses. Never notes,
        answers, scores or demographics. HubSpot also shows a contact with their company.
      </p>
      <div className="card mt-3 p-5">
        <table className="w-full text-left text-sm">
          <thead>
            <tr className="text-muted">
              <th scope="col" className="pr-4 pb-2 font-normal">
                Here
              </th>
              <th scope="col" className="pr-4 pb-2 font-normal">
                HubSpot property
              </th>
              <th scope="col" className="pb-2 font-normal">
                Check
              </th>
            </tr>
          </thead>
          <tbody>
            {HUBSPOT_FIELDS.map(({ kind, name, label }) => (
              <tr key={`${kind} ${name}`} className="border-t border-line align-top">
                <th scope="row" className="py-2 pr-4 font-normal">
                  {HUBSPOT_KIND_LABELS[kind]}: {label}
                </th>
                <td className="py-2 pr-4">
                  <code className="wrap-anywhere">{mapping[kind][name] ?? '–'}</code>
                </td>
                <td className="py-2">{fitText(kind, name)}</td>
              </tr>
            ))}
          </tbody>
        </table>
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
