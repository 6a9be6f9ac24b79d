/** What the form for a new project starts with. */
import type { ProjectInput, ProjectStart } from '#data/projects.ts';
import { addDays, dayText } from '#lib/locale/dates.ts';

export interface StartOptions {
  start: ProjectStart;
  /** The area in the address, if no action came with it. */
  area: string;
  today: string;
  /** The reader's IANA time zone. */
  timeZone: string;
}

/** Days to get a recommended action done. */
const ACTION_DAYS = 30;

/** The recommended action that led here, as a draft. Without one, at most the area. */
export function projectDraft({
  start,
  area,
  today,
  timeZone,
}: StartOptions): Partial<ProjectInput> {
  const { from, areas, engagements } = start;
  // Fields without a starting value are left out, and keep what was typed before the scripts ran.
  const blank: Partial<ProjectInput> = {
    ...(areas.some(({ key }) => key === area) ? { areaKey: area } : {}),
    ...(engagements.length === 0 ? { engagementId: '' } : {}),
  };
  if (!from) return blank;
  const areaName = areas.find(({ key }) => key === from.area_key)?.name ?? from.area_key;
  const score = from.score;
  return {
    ...blank,
    // A card on the board has room for the practice; the action says when it's done.
    title: from.practice,
    areaKey: from.area_key,
    outcome: from.action,
    ...(score && {
      baseline: `${areaName} scored ${Math.round(score.score)} out of 100 on ${dayText(score.on, timeZone)}.`,
    }),
    startOn: today,
    dueOn: addDays(today, ACTION_DAYS),
  };
}
