/** The rows of a page that a person has checked. */
export interface Selection {
  ids: ReadonlySet<string>;
  /** The row checked or unchecked last, which a range with Shift begins with. */
  last: string | null;
}

export const NOTHING: Selection = { ids: new Set(), last: null };

/** Checks or unchecks all these rows. */
export function checkAll(now: Selection, ids: readonly string[], isChecked: boolean): Selection {
  return { ids: withChange(now.ids, ids, isChecked), last: null };
}

/**
 * Checks or unchecks a row; with Shift, those between it and the last one, too.
 * @param order the page's rows, as they're shown
 */
export function checkRow(
  now: Selection,
  order: readonly string[],
  { id, isChecked, isRange }: { id: string; isChecked: boolean; isRange: boolean },
): Selection {
  const to = order.indexOf(id);
  const from = isRange && now.last !== null ? order.indexOf(now.last) : -1;
  const range = from === -1 ? [id] : order.slice(Math.min(from, to), Math.max(from, to) + 1);
  return { ids: withChange(now.ids, range, isChecked), last: id };
}

function withChange(now: ReadonlySet<string>, ids: readonly string[], isChecked: boolean) {
  const next = new Set(now);
  for (const id of ids) {
    if (isChecked) next.add(id);
    else next.delete(id);
  }
  return next;
}
