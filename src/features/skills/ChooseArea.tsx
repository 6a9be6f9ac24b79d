import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { FocusArea, Standing, StandingArea } from '#data/skills.ts';
import { focusChoices, suggestedAction } from '#domain/focus.ts';
import { newId } from '#lib/new-id.ts';
import { Button } from '#ui/Button.tsx';
import { LevelWord } from '#ui/charts/BloomTable.tsx';
import { scoreText } from '#ui/charts/levels.ts';
import { NewActionForm } from './ActionForm.tsx';
import type { FocusStore } from './focus-store.ts';

interface ChooseAreaProps {
  store: FocusStore;
  latest: Standing;
  areas: readonly FocusArea[];
  today: string;
  reminders: boolean;
  /** The area that a link chose, so its form starts open; null for none. */
  chosen: string | null;
  isFirst: boolean;
  /** Called with the id of an area once it's stored with its first action. */
  onSaved: (id: string) => void;
}

/** The areas to choose from, recommended ones first. Choosing one opens the form for its action. */
export function ChooseArea(props: ChooseAreaProps) {
  const { latest, areas, chosen, isFirst, onSaved } = props;
  const title = useRef<HTMLHeadingElement>(null);
  const [picked, setPicked] = useState(chosen);
  const choices = focusChoices(latest.areas, areas);
  const area = choices.find(({ key }) => key === picked);
  useEffect(() => {
    // The `#focus` that the link points to didn't exist until now.
    if (chosen) document.querySelector('#focus')?.scrollIntoView();
  }, [chosen]);
  if (choices.length === 0) return null;
  if (area) {
    return (
      <ChosenArea
        key={area.key}
        {...props}
        area={area}
        onSaved={(id) => {
          setPicked(null);
          onSaved(id);
        }}
        onCancel={() => {
          flushSync(() => setPicked(null));
          title.current?.focus();
        }}
      />
    );
  }
  return (
    <div className="rounded-card border border-dashed border-line p-5 md:p-6">
      <h3 ref={title} tabIndex={-1} className="text-base">
        {isFirst ? 'Choose where to start' : 'Choose another area'}
      </h3>
      <Choices choices={choices} onPick={setPicked} />
    </div>
  );
}

interface ChoicesProps {
  choices: readonly StandingArea[];
  onPick: (key: string) => void;
}

function Choices({ choices, onPick }: ChoicesProps) {
  const [all, setAll] = useState(false);
  const recommended = choices.filter((each) => each.recommended !== null);
  const shown = all || recommended.length === 0 ? choices : recommended;
  return (
    <>
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
                <LevelWord level={area.level} left_out={area.left_out} />
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
              aria-label={`Work on this: ${area.label.toLowerCase()}`}
              onClick={() => onPick(area.key)}
            >
              Work on this
            </Button>
          </li>
        ))}
      </ul>
      {shown.length < choices.length && (
        <Button className="-ml-3" size="small" variant="quiet" onClick={() => setAll(true)}>
          Show all {choices.length} areas
        </Button>
      )}
    </>
  );
}

interface ChosenAreaProps extends ChooseAreaProps {
  area: StandingArea;
  onCancel: () => void;
}

function ChosenArea(props: ChosenAreaProps) {
  const { store, latest, today, reminders, area, onSaved, onCancel } = props;
  // Use one id for all retries, so a lost response doesn't create the area twice.
  const [id] = useState(newId);
  return (
    <section aria-labelledby="chosen" className="card p-5 md:p-6">
      <h3 id="chosen">{area.label}</h3>
      {area.practice && (
        <p className="mt-1 mb-4 text-sm text-muted">Weakest practice: {area.practice.name}</p>
      )}
      <NewActionForm
        suggested={suggestedAction(area.practice)}
        today={today}
        reminders={reminders}
        onSave={async (action) => {
          await store.choose({ id, attemptId: latest.attempt.id, areaKey: area.key }, action);
          onSaved(id);
        }}
        onCancel={onCancel}
      />
    </section>
  );
}
