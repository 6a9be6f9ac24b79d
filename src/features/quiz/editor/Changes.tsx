import { changesSummary, type QuizChange } from '#domain/quiz-version.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { Section } from '#ui/Section.tsx';

interface ChangesProps {
  changes: readonly QuizChange[];
  /** The number of the version that this one was drafted from. */
  from: number | null;
}

const KINDS: Record<QuizChange['kind'], string> = {
  added: 'Added',
  removed: 'Removed',
  changed: 'Changed',
};

/** What differs from the version that this one was drafted from, question by question. */
export function Changes({ changes, from }: ChangesProps) {
  if (from === null) {
    return <EmptyState title="The first version">There’s nothing to compare it with.</EmptyState>;
  }
  if (changes.length === 0) {
    return (
      <EmptyState title="Nothing has changed">
        It’s the same as version {from}, which it was drafted from.
      </EmptyState>
    );
  }
  return (
    <Section id="changes" title={`Compared with version ${from}`}>
      <p className="mt-1 text-sm text-muted">{changesSummary(changes)}.</p>
      <ul className="mt-4 flex flex-col gap-4">
        {changes.map((change) => (
          <li key={change.key} className="card p-5">
            <p className="text-xs text-muted">
              {[change.area, KINDS[change.kind]].filter(Boolean).join(' · ')}
            </p>
            <h3 className="mt-0.5 text-base wrap-anywhere">{change.name}</h3>
            <dl className="mt-3 flex flex-col gap-3 text-sm">
              {change.fields.map(({ label, before, after }) => (
                <div key={label} className="grid gap-1 sm:grid-cols-[9rem_minmax(0,1fr)] sm:gap-4">
                  <dt className="text-muted">{label}</dt>
                  <dd className="flex min-w-0 flex-col gap-1 wrap-anywhere">
                    {before !== null && (
                      <p>
                        <span className="sr-only">Before: </span>
                        <del className="text-danger">{before}</del>
                      </p>
                    )}
                    {after !== null && (
                      <p>
                        <span className="sr-only">Now: </span>
                        <ins className="text-primary no-underline">{after}</ins>
                      </p>
                    )}
                  </dd>
                </div>
              ))}
            </dl>
          </li>
        ))}
      </ul>
    </Section>
  );
}
