import type { ReactNode } from 'react';
import type { ShownMessage } from '../conversation/shown-messages.ts';
import type { ThreadRow } from './thread-rows.ts';

export type Row = ThreadRow<ShownMessage>;

export interface RowsProps {
  rows: readonly Row[];
  renderRow: (row: Row) => ReactNode;
  before: ReactNode;
}

/** A date heading, or the line above the first new message. */
export function MarkRow({ row }: { row: Exclude<Row, { kind: 'message' }> }) {
  if (row.kind === 'day') {
    return (
      <h2 className="py-3 text-center font-text text-xs font-semibold text-muted">{row.text}</h2>
    );
  }
  return (
    <p className="flex items-center gap-3 px-4 py-2 text-xs font-semibold text-primary">
      <span className="h-px grow bg-primary" aria-hidden="true" />
      New
      <span className="h-px grow bg-primary" aria-hidden="true" />
    </p>
  );
}

/** Attributes for finding a row's element on the page. */
export const rowAttributes = (row: Row) => ({
  'data-row': row.key,
  'data-seq': row.kind === 'message' ? (row.message.seq ?? undefined) : undefined,
});

export function ThreadRows({ rows, renderRow, before }: RowsProps) {
  return (
    <div className="pb-3">
      {before}
      <ol aria-label="Messages">
        {rows.map((row) => (
          <li key={row.key} {...rowAttributes(row)}>
            {renderRow(row)}
          </li>
        ))}
      </ol>
    </div>
  );
}
