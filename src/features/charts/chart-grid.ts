/** The cards of a section: one column, or two on wide screens. */
export const CHART_GRID =
  'mt-5 grid grid-cols-[minmax(0,1fr)] gap-5 lg:grid-cols-[repeat(2,minmax(0,1fr))]';
