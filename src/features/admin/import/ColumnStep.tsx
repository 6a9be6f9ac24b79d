import { useStore } from '@nanostores/react';
import { IMPORT_FIELD_NAMES, IMPORT_FIELDS, type ImportField } from '#domain/contact-import.ts';
import { wholeText } from '#lib/locale/numbers.ts';
import { Button } from '#ui/Button.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { Select } from '#ui/forms/Select.tsx';
import { Notice } from '#ui/Notice.tsx';
import { Section } from '#ui/Section.tsx';
import type { ImportStore } from './import-store.ts';
import type { ListFile } from './read-list.ts';

const OPTIONS = IMPORT_FIELD_NAMES.map((value) => ({ value, label: IMPORT_FIELDS[value].label }));
const SAMPLES = 3;

/** What a column has in its first rows, for admins who choose what it is. */
const samplesOf = ({ lines }: ListFile, column: number) =>
  lines
    .map((line) => line[column]?.trim() ?? '')
    .filter((value) => value !== '')
    .slice(0, SAMPLES)
    .join(' · ');

interface StepProps {
  store: ImportStore;
  file: ListFile;
  problem: string | null;
}

/** Chooses what each column of the file is. */
export function ColumnStep({ store, file, problem }: StepProps) {
  const columns = useStore(store.$columns);
  const count = file.lines.filter((line) => line.some((value) => value.trim() !== '')).length;
  return (
    <Section id="columns" title="What’s in each column?">
      <p className="mt-1 text-sm text-muted wrap-anywhere">
        {file.name}: {wholeText(count)} {count === 1 ? 'row' : 'rows'}. Each row needs an email
        address.
      </p>
      <ul className="mt-4 grid gap-x-6 gap-y-5 card p-5 sm:grid-cols-2 lg:grid-cols-3">
        {file.headers.map((header, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a file's columns have no other identity
          <li key={index} className="min-w-0 wrap-anywhere">
            <Field
              label={header || `Column ${index + 1}`}
              hint={samplesOf(file, index) || 'Empty'}
              as={Select}
              placeholder="Don’t import"
              options={OPTIONS}
              value={columns[index] ?? ''}
              onChange={({ target }: { target: HTMLSelectElement }) =>
                store.setColumn(index, (target.value || null) as ImportField | null)
              }
            />
          </li>
        ))}
      </ul>
      {problem && (
        <Notice tone="danger" live="assertive" className="mt-4">
          {problem}
        </Notice>
      )}
      <div className="mt-4 flex flex-wrap gap-2">
        <Button onClick={() => void store.check()}>Check the rows</Button>
        <Button variant="quiet" onClick={store.restart}>
          Choose another file
        </Button>
      </div>
    </Section>
  );
}
