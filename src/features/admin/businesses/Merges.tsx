import type { Merge } from '#data/admin-businesses.ts';
import { dayText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { Button } from '#ui/Button.tsx';
import { Section } from '#ui/Section.tsx';

interface MergesProps {
  merges: readonly Merge[];
  /** The business whose page this is. */
  businessId: string;
  timeZone: string;
  onUndo: (merge: Merge) => void;
}

/** What was merged with a business, why, and until when it can be undone. */
export function Merges({ merges, businessId, timeZone, onUndo }: MergesProps) {
  return (
    <Section id="merges" title="Merges">
      <ul className="mt-3 flex flex-col gap-3">
        {merges.map((merge) => {
          const isAway = merge.from.id === businessId;
          const other = isAway ? merge.into : merge.from;
          return (
            <li key={merge.id} className="flex flex-wrap items-start gap-3 card p-4 text-sm">
              <div className="min-w-0 grow basis-60 wrap-anywhere">
                <p>
                  {isAway ? 'Merged into ' : 'Took in '}
                  <a className="link" href={hrefFor('/admin/businesses/[id]', { id: other.id })}>
                    {other.name}
                  </a>{' '}
                  on {dayText(merge.merged_at, timeZone)}, by {merge.by ?? 'a deleted account'}
                </p>
                <p className="text-muted">{merge.reason}</p>
                <p className="mt-1 text-muted">
                  {merge.undone_at
                    ? `Undone on ${dayText(merge.undone_at, timeZone)}.`
                    : (merge.blocker ??
                      `Can be undone until ${dayText(merge.undo_until, timeZone)}.`)}
                </p>
              </div>
              {merge.blocker === null && (
                <Button size="small" variant="secondary" onClick={() => onUndo(merge)}>
                  Undo<span className="sr-only"> the merge with {other.name}</span>
                </Button>
              )}
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
