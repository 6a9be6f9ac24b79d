import { useState } from 'react';
import { saveFile } from '#lib/browser/save-file.ts';
import { toAppError } from '#lib/errors.ts';
import { csvOf } from '#lib/files/csv.ts';
import { Button } from '../Button.tsx';
import { LineIcon } from '../LineIcon.tsx';
import type { DataColumn } from './columns.ts';

interface CsvProps<Row> {
  /** The file name, without its extension. */
  name: string;
  columns: readonly DataColumn<Row>[];
  label?: string;
  /** How the button looks: quiet above a table, secondary by itself. */
  variant?: 'quiet' | 'secondary';
  /** Yields all matching rows, page by page, and returns whether that was all of them. */
  readAll: () => AsyncGenerator<readonly Row[], { isComplete: boolean }>;
}

const ARROW_DOWN = 'M12 15V3M21 15v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4M7 10l5 5 5-5';

type Progress =
  | { name: 'idle' }
  | { name: 'reading'; rows: number }
  | { name: 'said'; text: string };

/** Downloads a CSV file of all matching rows, read page by page from the database. */
export function CsvButton<Row>(props: CsvProps<Row>) {
  const { name, columns, readAll, label = 'Download CSV', variant = 'quiet' } = props;
  const [progress, setProgress] = useState<Progress>({ name: 'idle' });

  async function make() {
    const wanted = columns.filter((column) => column.csv);
    const rows: Record<string, unknown>[] = [];
    setProgress({ name: 'reading', rows: 0 });
    try {
      const pages = readAll();
      let step = await pages.next();
      for (; !step.done; step = await pages.next()) {
        for (const row of step.value) {
          rows.push(Object.fromEntries(wanted.map(({ header, csv }) => [header, csv?.(row)])));
        }
        setProgress({ name: 'reading', rows: rows.length });
      }
      saveFile(`${name}.csv`, new Blob([csvOf(rows)], { type: 'text/csv;charset=utf-8' }));
      const count = rows.length.toLocaleString('en-US');
      setProgress({
        name: 'said',
        text: step.value.isComplete
          ? `Downloaded ${count} ${rows.length === 1 ? 'row' : 'rows'}.`
          : `The file has the first ${count} rows. Narrow the list to get the rest.`,
      });
    } catch (thrown) {
      setProgress({ name: 'said', text: `We couldn’t make a file. ${toAppError(thrown).message}` });
    }
  }

  return (
    <span className="inline-flex flex-wrap items-center gap-x-3 gap-y-1">
      <span role="status" className="text-xs text-muted empty:-mr-3">
        {progress.name === 'said' && progress.text}
        {progress.name === 'reading' && progress.rows > 0 && `${progress.rows} rows…`}
      </span>
      <Button
        size="small"
        variant={variant}
        needsScript
        pending={progress.name === 'reading'}
        onClick={() => void make()}
      >
        {LineIcon({ d: ARROW_DOWN, box: 24, width: 2, className: 'size-4' })}
        {label}
      </Button>
    </span>
  );
}
