import type { AppError } from '#lib/errors.ts';
import { VersionHistory } from '../VersionHistory.tsx';
import { compareTyped } from './compare.ts';
import { type CalculatorKind, calculators } from './definitions.ts';

type Typed = Record<string, string>;

interface CalculatorVersion {
  revision: number;
  document: Typed;
  saved_by: string | null;
  saved_at: string;
  restored_from: number | null;
}

interface CalculatorHistoryProps {
  kind: CalculatorKind;
  /** What's typed now. */
  typed: Typed;
  /** Loads a page of versions, newest first; `before` is a revision. Throws an AppError. */
  list: (before?: number) => Promise<CalculatorVersion[]>;
  pageSize: number;
  timeZone: string;
  /** Converts what was thrown to an AppError. */
  onError: (thrown: unknown) => AppError;
  /** Null for people who can only read it. Throws an AppError. */
  onRestore: ((revision: number) => Promise<void>) | null;
  onClose: () => void;
}

/** Earlier figures of a calculator, each with its answer, and how it compares with today's. */
export const CalculatorHistory = ({ kind, typed, ...rest }: CalculatorHistoryProps) => (
  <VersionHistory
    {...rest}
    title={`History of ${calculators[kind].title.toLowerCase()}`}
    description="Each person’s last version of each day. Restoring one keeps the rest."
    newest="newest version"
    empty="Nothing saved yet."
    on={[kind]}
  >
    {({ document }) => <Compared kind={kind} before={document} after={typed} />}
  </VersionHistory>
);

interface ComparedProps {
  kind: CalculatorKind;
  before: Typed;
  after: Typed;
}

/** What it said then, compared with now, and all its figures to open. */
function Compared({ kind, before, after }: ComparedProps) {
  const { was, sentence, figures } = compareTyped(kind, before, after);
  return (
    <>
      <p className="text-sm">
        <strong className="figures">{was}</strong>
        <span className="block text-muted">{sentence}</span>
      </p>
      <details className="text-sm">
        <summary className="link inline-block py-1 pointer-coarse:py-3">Figures</summary>
        <ul className="mt-1 flex flex-col gap-1">
          {figures.map((figure) => (
            <li key={figure}>{figure}</li>
          ))}
        </ul>
      </details>
    </>
  );
}
