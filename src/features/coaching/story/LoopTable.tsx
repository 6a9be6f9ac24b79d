import type { LoopArea } from '#data/coaching-timeline.ts';
import { dayOf, nearDayText } from '#lib/locale/dates.ts';
import { scoreText } from '#ui/charts/levels.ts';

interface LoopTableProps {
  loop: readonly LoopArea[];
  timeZone: string;
}

const HEADS = [
  'Skill',
  'First score',
  'Latest score',
  'Worked on since',
  'Sessions',
  'Actions',
  'Tools',
];

/** The work on each skill in words and numbers: what LoopChart draws. */
export function LoopTable({ loop, timeZone }: LoopTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways needs to be reachable by keyboard
    <section className="mt-2 overflow-x-auto" tabIndex={0} aria-label="The work on each skill">
      <table className="rows w-full text-left text-sm">
        <caption className="sr-only">The work on each skill</caption>
        <thead className="text-xs text-muted">
          <tr>
            {HEADS.map((head) => (
              <th
                key={head}
                scope="col"
                className="pr-5 pb-2 align-bottom font-medium whitespace-nowrap"
              >
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {loop.map((area) => (
            <AreaRow key={area.area_key} area={area} timeZone={timeZone} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function AreaRow({ area, timeZone }: { area: LoopArea; timeZone: string }) {
  const { scores, focus_at, sessions, actions, tools } = area;
  const day = (at: string) => nearDayText(dayOf(at, timeZone), '');
  const score = (of: LoopArea['scores'][number] | undefined) =>
    of ? `${scoreText(of.score)}, ${day(of.at)}` : '–';
  const done = actions.filter(({ done_at }) => done_at).length;
  const latest = sessions.toSorted().at(-1);
  return (
    <tr>
      <th scope="row" className="pr-5 font-normal">
        {area.area_name}
      </th>
      {[
        score(scores[0]),
        score(scores.length > 1 ? scores.at(-1) : undefined),
        focus_at ? day(focus_at) : '–',
        latest ? `${sessions.length}, last on ${day(latest)}` : '–',
        actions.length === 0 ? '–' : `${done} of ${actions.length} done`,
        tools.length === 0 ? '–' : String(tools.length),
      ].map((text, index) => (
        <td key={HEADS[index + 1]} className="pr-5 whitespace-nowrap figures">
          {text}
        </td>
      ))}
    </tr>
  );
}
