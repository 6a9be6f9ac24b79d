import type { ProgramFigures } from '#data/programs.ts';
import { calendarDayText } from '#lib/locale/dates.ts';
import { wholeText } from '#lib/locale/numbers.ts';
import {
  changeText,
  type GroupRow,
  groupRows,
  madeOn,
  NOT_SHOWN,
  plainRows,
  type SkillRow,
  skillRows,
} from './figure-rows.ts';

interface FiguresProps {
  figures: ProgramFigures;
  /** What the groups are: "Postal code" or "Industry". */
  groupedBy?: string;
}

/** What a sponsor sees of all businesses together. Owners see the same before they agree. */
export function Figures({ figures, groupedBy = 'Group' }: FiguresProps) {
  const day = madeOn(figures);
  const skills = skillRows(figures);
  const groups = groupRows(figures);
  return (
    <div className="flex flex-col gap-6">
      <p className="max-w-[65ch] text-sm text-muted">
        {day
          ? `As of ${calendarDayText(day)}. A figure changes only when at least five businesses have changed, so nobody can work one out by comparing two days.`
          : 'There’s nothing to show yet. Figures start once enough businesses have a seat, never with fewer than five.'}
      </p>
      <table className="numbers max-w-xl">
        <caption className="sr-only">Totals of all businesses</caption>
        <tbody>
          {plainRows(figures).map(({ figure, value }) => (
            <tr key={figure}>
              <th scope="row">{figure}</th>
              <td className={value === NOT_SHOWN ? 'text-muted' : 'font-semibold'}>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {skills.length > 0 && <Skills rows={skills} />}
      {groups.length > 0 && <Groups rows={groups} groupedBy={groupedBy} />}
    </div>
  );
}

/** Medians as bars from the first quiz to the latest, with the numbers. */
const Skills = ({ rows }: { rows: readonly SkillRow[] }) => (
  <table className="numbers max-w-2xl">
    <caption className="mb-2 text-left font-semibold">
      Skills, 0 to 100: half of the businesses score at least this much
    </caption>
    <thead>
      <tr>
        <th scope="col">Skill</th>
        <td aria-hidden="true" />
        <th scope="col">First quiz</th>
        <th scope="col">Latest quiz</th>
      </tr>
    </thead>
    <tbody>
      {rows.map(({ name, first, latest }) => (
        <tr key={name}>
          <th scope="row">{name}</th>
          <td aria-hidden="true" className="w-1/3 min-w-20">
            <svg
              viewBox="0 0 100 10"
              preserveAspectRatio="none"
              className="block h-3 w-full"
              aria-hidden="true"
            >
              <rect width="100" height="10" className="fill-petal" />
              <rect
                x={Math.min(first, latest)}
                width={Math.max(Math.abs(latest - first), 1)}
                height="10"
                className={latest < first ? 'fill-clay' : 'fill-leaf'}
              />
            </svg>
          </td>
          <td>{first}</td>
          <td className="font-semibold">{latest}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

/** Groups of five and more, which add up to the totals. */
const Groups = ({ rows, groupedBy }: { rows: readonly GroupRow[]; groupedBy: string }) => (
  <div className="overflow-x-auto">
    <table className="numbers max-w-2xl">
      <caption className="mb-2 text-left font-semibold">By {groupedBy.toLowerCase()}</caption>
      <thead>
        <tr>
          <th scope="col">{groupedBy}</th>
          <th scope="col">Businesses</th>
          <th scope="col">Sessions</th>
          <th scope="col">Change in score</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, businesses, sessions, change }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{businesses === null ? NOT_SHOWN : wholeText(businesses)}</td>
            <td>{sessions === null ? NOT_SHOWN : wholeText(sessions)}</td>
            <td>{changeText(change)}</td>
          </tr>
        ))}
      </tbody>
    </table>
    <p className="mt-2 text-xs text-muted">
      Change in score: how the overall score of the quiz changed on average, from the first to the
      latest. A business that moves stays in the group where it was counted first.
    </p>
  </div>
);
