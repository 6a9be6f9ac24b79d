import { useStore } from '@nanostores/react';
import { useState } from 'react';
import type { AreaProject, FocusArea, Standing } from '#data/skills.ts';
import { focusChoices, MOST_FOCUS_AREAS, openAreas } from '#domain/focus.ts';
import { db } from '#lib/db.ts';
import { dayOf, dayText } from '#lib/locale/dates.ts';
import { numberText } from '#lib/locale/numbers.ts';
import { addToast } from '#stores/toasts.ts';
import { screen } from '#ui/ScreenBoundary.tsx';
import { AreaProjects } from './AreaProjects.tsx';
import { ChooseArea } from './ChooseArea.tsx';
import { FocusCard } from './FocusCard.tsx';
import { createFocusStore } from './focus-store.ts';

interface FocusProps {
  focus: FocusArea[];
  /** The open projects that work on an area. */
  projects: AreaProject[];
  latest: Standing;
  /** Whether the user wants reminders by email. */
  reminders: boolean;
  timeZone: string;
  /** ISO 8601, now. */
  now: string;
}

/**
 * What an owner is working on: the projects in an area, and areas with an action, which is how it
 * was chosen until November 2026. With fewer than three areas, there are more to choose from.
 */
function FocusScreen({ focus, projects, latest, now, ...rest }: FocusProps) {
  const [store] = useState(() => createPageStore(focus));
  const areas = useStore(store.$areas);
  const shared = { ...rest, store, today: dayOf(now, rest.timeZone) };
  const open = openAreas(areas);
  const inProjects = new Set(projects.map(({ area_key }) => area_key));
  const working = new Set([...inProjects, ...open.map(({ area_key }) => area_key)]);
  const choices = focusChoices(latest.areas, areas).filter(({ key }) => !inProjects.has(key));
  return (
    <section aria-labelledby="focus" className="flex flex-col gap-5">
      <div>
        <h2 id="focus" tabIndex={-1} className="scroll-mt-20">
          What you’re working on
        </h2>
        <p className="mt-1 max-w-[60ch] text-muted">
          {working.size > MOST_FOCUS_AREAS
            ? `You’re working on ${numberText(working.size)} areas now. Three at a time are plenty.`
            : 'Each is a project with its steps and a measure. Three areas at a time are plenty.'}
        </p>
      </div>
      <AreaProjects projects={projects} areas={latest.areas} today={shared.today} />
      {open.length > 0 && (
        <>
          <h3 className="mt-2">Next steps without a project</h3>
          <ul className="flex flex-col gap-5">
            {open.map((area) => (
              <FocusCard
                key={area.id}
                {...shared}
                area={area}
                standing={latest.areas.find(({ key }) => key === area.area_key)}
              />
            ))}
          </ul>
        </>
      )}
      {working.size < MOST_FOCUS_AREAS && (
        <ChooseArea choices={choices} isFirst={working.size === 0} />
      )}
      <EndedAreas areas={areas} timeZone={rest.timeZone} />
    </section>
  );
}

const createPageStore = (focus: FocusArea[]) =>
  createFocusStore(
    {
      db,
      settled: (state, undo) =>
        addToast({
          tone: 'good',
          title: state === 'done' ? 'Marked as done' : 'Dropped',
          action: { label: 'Undo', onPress: undo },
        }),
    },
    focus,
  );

function EndedAreas({ areas, timeZone }: { areas: readonly FocusArea[]; timeZone: string }) {
  const ended = areas.filter(({ state }) => state === 'ended');
  if (ended.length === 0) return null;
  return (
    <details className="text-sm">
      <summary className="link inline-block py-1 pointer-coarse:py-3">
        Areas you’ve worked on before
      </summary>
      <ul className="mt-2 flex flex-col divide-y divide-line">
        {ended.map((area) => (
          <li key={area.id} className="flex flex-wrap justify-between gap-x-4 gap-y-1 py-2.5">
            <span>{area.area_name}</span>
            <span className="text-xs text-muted">
              {dayText(area.chosen_at, timeZone)}
              {area.ended_at && ` to ${dayText(area.ended_at, timeZone)}`},{' '}
              {area.actions.filter(({ state }) => state === 'done').length} done
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}

export default screen(FocusScreen);
