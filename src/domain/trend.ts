/** Results over time, as lines that break where the questions changed. */

/** One full result; `meaning` is equal if two of them ask the same about an area. */
export interface TrendPoint {
  id: string;
  /** 0 to 100, unrounded; null with fewer than six scored areas. */
  overall_score: number | null;
  areas: readonly { area_key: string; score: number | null; meaning: string }[];
}

/** One area over time; `score` is null if an attempt has none. */
export interface AreaTrend {
  key: string;
  values: {
    /** The id of the attempt. */
    id: string;
    score: number | null;
    /** Whether its questions match the previous attempt's, so a line may join the two. */
    joined: boolean;
  }[];
}

/** The scores over all attempts, for the areas of the newest one. */
export function areaTrends(trend: readonly TrendPoint[]): AreaTrend[] {
  const newest = trend.at(-1);
  return (newest?.areas ?? []).map(({ area_key: key }) => ({
    key,
    values: trend.map((point, index) => {
      const now = point.areas.find(({ area_key }) => area_key === key);
      const before = trend[index - 1]?.areas.find(({ area_key }) => area_key === key);
      return {
        id: point.id,
        score: now?.score ?? null,
        joined: before !== undefined && before.meaning === now?.meaning,
      };
    }),
  }));
}

/** Whether an attempt has the same questions as the one before, in every area. */
function sameQuestions(point: TrendPoint, before: TrendPoint): boolean {
  return point.areas.every(({ area_key, meaning }) =>
    before.areas.some((each) => each.area_key === area_key && each.meaning === meaning),
  );
}

/**
 * The overall score as one or more lines over the same labels. A new line starts where the
 * questions changed, so scores that can't be compared aren't joined.
 */
export function overallLines(trend: readonly TrendPoint[]): (number | null)[][] {
  const lines: (number | null)[][] = [];
  for (const [index, point] of trend.entries()) {
    const before = trend[index - 1];
    if (!before || !sameQuestions(point, before)) lines.push(trend.map(() => null));
    const line = lines.at(-1);
    if (line) line[index] = point.overall_score;
  }
  return lines;
}
