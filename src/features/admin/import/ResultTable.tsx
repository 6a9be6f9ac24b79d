import { useState } from 'react';
import type { ImportResult } from '#data/contact-import.ts';
import {
  IMPORT_OUTCOME_LABELS,
  IMPORT_OUTCOMES,
  type ImportOutcome,
} from '#domain/contact-import.ts';
import { wholeText } from '#lib/locale/numbers.ts';
import { Button } from '#ui/Button.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { Select } from '#ui/forms/Select.tsx';
import { CsvButton } from '#ui/table/CsvButton.tsx';
import { countOutcomes } from './import-store.ts';
import type { ListFile } from './read-list.ts';

const SHOWN = 100;

const BUSINESS_LABELS = {
  new: 'New business',
  joined: 'Business from another row',
  there: 'Business already there',
};

interface TableProps {
  file: ListFile;
  results: readonly ImportResult[];
}

/** The rows that were refused, as they are in the file, with the reason. */
function refusedFile({ file, results }: TableProps) {
  const rows = results.filter(({ outcome }) => outcome === 'refused');
  const nameOf = (index: number) => {
    const header = file.headers[index] || `Column ${index + 1}`;
    return file.headers.indexOf(header) < index ? `${header} (${index + 1})` : header;
  };
  const columns = [
    ...file.headers.map((_, index) => ({
      id: String(index),
      header: nameOf(index),
      csv: ({ row }: ImportResult) => file.lines[row - 2]?.[index] ?? '',
    })),
    { id: 'row', header: 'Row in the file', csv: ({ row }: ImportResult) => row },
    { id: 'reason', header: 'Why it was refused', csv: ({ note }: ImportResult) => note },
  ];
  return { rows, columns };
}

/** What happens to each row, with the refused ones as a file. */
export function ResultTable({ file, results }: TableProps) {
  const counts = countOutcomes(results);
  const [show, setShow] = useState<ImportOutcome | ''>(counts.refused > 0 ? 'refused' : '');
  const [most, setMost] = useState(SHOWN);
  const matching = results.filter(({ outcome }) => show === '' || outcome === show);
  const refused = refusedFile({ file, results });
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <Field
          label="Show"
          as={Select}
          className="basis-64"
          placeholder={`All rows (${wholeText(results.length)})`}
          options={IMPORT_OUTCOMES.map((value) => ({
            value,
            label: `${IMPORT_OUTCOME_LABELS[value]} (${wholeText(counts[value])})`,
          }))}
          value={show}
          onChange={({ target }: { target: HTMLSelectElement }) => {
            setShow(target.value as ImportOutcome | '');
            setMost(SHOWN);
          }}
        />
        {refused.rows.length > 0 && (
          <CsvButton
            name="refused-rows"
            label="Download the refused rows"
            columns={refused.columns}
            readAll={async function* () {
              yield refused.rows;
              return { isComplete: true };
            }}
          />
        )}
      </div>
      {matching.length === 0 ? (
        <p className="text-sm text-muted">No such rows.</p>
      ) : (
        <ul aria-label="Rows" className="card divide-y divide-line text-sm">
          {matching.slice(0, most).map(({ row, outcome, business, note }) => (
            <li
              key={row}
              className="grid gap-x-4 gap-y-1 px-4 py-3 wrap-anywhere sm:grid-cols-[5rem_minmax(0,14rem)_1fr]"
            >
              <span className="text-muted">Row {wholeText(row)}</span>
              <span className={outcome === 'refused' ? 'font-semibold text-danger' : ''}>
                {IMPORT_OUTCOME_LABELS[outcome]}
              </span>
              <span>
                <span className="block">{file.lines[row - 2]?.filter(Boolean).join(' · ')}</span>
                {business && <span className="block text-muted">{BUSINESS_LABELS[business]}</span>}
                {note && <span className="block font-medium">{note}</span>}
              </span>
            </li>
          ))}
        </ul>
      )}
      {matching.length > most && (
        <div>
          <Button variant="secondary" size="small" onClick={() => setMost(most + SHOWN)}>
            Show {wholeText(Math.min(SHOWN, matching.length - most))} more
          </Button>
        </div>
      )}
    </div>
  );
}
