import { useStore } from '@nanostores/react';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { FocusArea, Standing, StandingArea } from '#data/skills.ts';
import { focusChoices, MOST_FOCUS_AREAS, openAreas, suggestedAction } from '#domain/focus.ts';
import { addDays, dayOf, dayText } from '#lib/dates.ts';
import { db } from '#lib/db.ts';
import { newId } from '#lib/new-id.ts';
import { sessionEnded } from '#stores/session.ts';
import { addFailureToast, addToast } from '#stores/toasts.ts';
import { Button } from '#ui/Button.tsx';
import { LevelWord } from '#ui/charts/BloomTable.tsx';
import { scoreText } from '#ui/charts/levels.ts';
import { screen } from '#ui/ScreenBoundary.tsx';
import { useReady } from '#ui/use-ready.ts';
import { ActionForm } from './ActionForm.tsx';
import { USUAL_DAYS } from './action-schema.ts';
import { FocusCard } from './FocusCard.tsx';
import { createFocusStore, type FocusStore } from './focus-store.ts';

interface FocusProps {
  focus: FocusArea[];
  latest: Standing;
  /** Whether the person wants mails that remind at all. */
  reminders: boolean;
  timeZone: string;
  /** ISO 8601, now. */
  now: string;
  /** An area that a link from the results has chosen: its form is open. */
  chosen: string | null;
}

/** What an owner works on: up to three areas, each with an action for about 30 days. */
function FocusScreen(props: FocusProps) {
  const { focus, latest, reminders, timeZone, now, chosen } = props;
  const [store] = useState(() =>
    createFocusStore(
      {
        db,
        signedOut: sessionEnded,
        failed: (error, retry) => addFailureToast('It stays as it was', error, retry),
        settled: (state, undo) =>
          addToast({
            tone: 'good',
            title: state === 'done' ? 'Done, and written down' : 'Dropped',
            action: { label: 'Undo', onPress: undo },
          }),
      },
      focus,
    ),
  );
  const areas = useStore(store.$areas);
  const [fresh, setFresh] = useState<string | null>(null);
  const today = dayOf(now, timeZone);
  const open = openAreas(areas);
  const ended = areas.filter(({ state }) => state === 'ended');
  return (
    <section aria-labelledby="focus" className="flex flex-col gap-5">
      <div>
        <h2 id="focus" tabIndex={-1} className="scroll-mt-20">
          What you work on
        </h2>
        <p className="mt-1 max-w-[60ch] text-muted">
          Up to three areas at a time, one action each, about 30 days.
        </p>
      </div>
      {open.length > 0 && (
        <ul className="flex flex-col gap-5">
          {open.map((area) => (
            <FocusCard
              key={area.id}
              {...{ store, area, today, reminders, timeZone }}
              fresh={area.id === fresh}
              standing={latest.areas.find(({ key }) => key === area.area_key)}
            />
          ))}
        </ul>
      )}
      {open.length < MOST_FOCUS_AREAS && (
        <Choose
          {...{ store, latest, areas, today, reminders, chosen }}
          first={open.length === 0}
          onChosen={setFresh}
        />
      )}
      {ended.length > 0 && (
        <details className="text-sm">
          <summary className="link inline-block py-1 pointer-coarse:py-3">
            Areas that you worked on before
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
      )}
    </section>
  );
}

interface ChooseProps {
  store: FocusStore;
  latest: Standing;
  areas: readonly FocusArea[];
  today: string;
  reminders: boolean;
  chosen: string | null;
  first: boolean;
  /** Told the id of an area that was chosen just now. */
  onChosen: (id: string) => void;
}

/** The areas to choose from, the recommended ones first; choosing one opens its action. */
function Choose(props: ChooseProps) {
  const { store, latest, areas, today, reminders, chosen, first, onChosen } = props;
  const title = useRef<HTMLHeadingElement>(null);
  const [picked, setPicked] = useState(chosen);
  const [all, setAll] = useState(false);
  const ready = useReady();
  const possible = focusChoices(latest?.areas ?? [], areas);
  const asked = possible.find(({ key }) => key === picked);
  useEffect(() => {
    // The link that led here named a place that exists only now.
    if (chosen) document.querySelector('#focus')?.scrollIntoView();
  }, [chosen]);
  if (possible.length === 0) return null;
  if (asked) {
    return (
      <Chosen
        key={asked.key}
        {...{ store, latest, today, reminders }}
        area={asked}
        onSaved={(id) => {
          setPicked(null);
          onChosen(id);
        }}
        onCancel={() => {
          flushSync(() => setPicked(null));
          title.current?.focus();
        }}
      />
    );
  }
  const recommended = possible.filter((each) => each.recommended !== null);
  const shown = all || recommended.length === 0 ? possible : recommended;
  return (
    <div className="rounded-card border border-dashed border-line p-5 md:p-6">
      <h3 ref={title} tabIndex={-1} className="text-base">
        {first ? 'Choose where to begin' : 'Choose another area'}
      </h3>
      <ul className="mt-2 flex flex-col divide-y divide-line">
        {shown.map((area) => (
          <li
            key={area.key}
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 py-4"
          >
            <div className="min-w-0 grow basis-72">
              <p className="flex flex-wrap items-baseline gap-x-3">
                <strong>{area.label}</strong>
                <span className="text-sm font-semibold figures">{scoreText(area.score)}</span>
                <LevelWord level={area.level} />
                {area.recommended !== null && (
                  <span className="text-xs text-muted">Recommended</span>
                )}
              </p>
              {area.practice && (
                <p className="mt-0.5 text-sm text-muted">Weakest practice: {area.practice.name}</p>
              )}
            </div>
            <Button
              size="small"
              variant={area.recommended === null ? 'secondary' : 'primary'}
              disabled={!ready}
              aria-label={`Work on this: ${area.label.toLowerCase()}`}
              onClick={() => setPicked(area.key)}
            >
              Work on this
            </Button>
          </li>
        ))}
      </ul>
      {shown.length < possible.length && (
        <Button
          className="-ml-3"
          size="small"
          variant="quiet"
          disabled={!ready}
          onClick={() => setAll(true)}
        >
          All {possible.length} areas
        </Button>
      )}
    </div>
  );
}

interface ChosenProps extends Pick<ChooseProps, 'store' | 'latest' | 'today' | 'reminders'> {
  area: StandingArea;
  onSaved: (id: string) => void;
  onCancel: () => void;
}

function Chosen(props: ChosenProps) {
  const { store, latest, today, reminders, area, onSaved, onCancel } = props;
  // One pair of ids for all tries: what was sent and not answered is not made twice.
  const [ids] = useState(() => ({ area: newId(), action: newId() }));
  const idea = suggestedAction(area.practice);
  return (
    <section aria-labelledby="chosen" className="card p-5 md:p-6">
      <h3 id="chosen">{area.label}</h3>
      {area.practice && (
        <p className="mt-1 mb-4 text-sm text-muted">Weakest practice: {area.practice.name}</p>
      )}
      <ActionForm
        begins={{ body: idea?.body ?? '', dueOn: addDays(today, USUAL_DAYS), remind: true }}
        {...{ today, reminders }}
        {...(idea ? { hint: 'From your weakest practice; make it yours.' } : {})}
        onSave={async (input) => {
          await store.choose(
            { id: ids.area, attemptId: latest.attempt.id, areaKey: area.key },
            { id: ids.action, questionKey: idea?.questionKey ?? null, ...input },
          );
          onSaved(ids.area);
        }}
        onCancel={onCancel}
      />
    </section>
  );
}

export default screen(FocusScreen);
