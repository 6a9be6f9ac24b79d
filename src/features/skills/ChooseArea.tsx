import { useState } from 'react';
import type { StandingArea } from '#data/skills.ts';
import { Button } from '#ui/Button.tsx';
import { LevelWord } from '#ui/charts/BloomTable.tsx';
import { scoreText } from '#ui/charts/levels.ts';
import { workHref } from './work-href.ts';

interface ChooseAreaProps {
  /** Recommended ones first. */
  choices: readonly StandingArea[];
  isFirst: boolean;
}

/** The areas to choose from. Each button opens a project that's filled in with the first action. */
export function ChooseArea({ choices, isFirst }: ChooseAreaProps) {
  const [all, setAll] = useState(false);
  if (choices.length === 0) return null;
  const recommended = choices.filter((each) => each.recommended !== null);
  const shown = all || recommended.length === 0 ? choices : recommended;
  return (
    <div className="rounded-card border border-dashed border-line p-5 md:p-6">
      <h3 className="text-base">{isFirst ? 'Choose where to start' : 'Choose another area'}</h3>
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
              href={workHref(area.key, area.practice?.question_key)}
              aria-label={`Work on this: ${area.label.toLowerCase()}`}
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
    </div>
  );
}
