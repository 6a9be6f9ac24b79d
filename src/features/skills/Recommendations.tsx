import { useStore } from '@nanostores/react';
import { useState } from 'react';
import type { AttemptView, StoredRecommendation } from '#data/attempts.ts';
import type { FocusArea } from '#data/skills.ts';
import { hrefFor } from '#lib/routes.ts';
import { Button } from '#ui/Button.tsx';
import { LevelWord } from '#ui/charts/BloomTable.tsx';
import { scoreText } from '#ui/charts/levels.ts';
import { useReady } from '#ui/use-ready.ts';
import { alternatives, weakestOf } from './results.ts';
import type { ResultsStore } from './results-store.ts';
import { SwapDialog } from './SwapDialog.tsx';

interface RecommendationsProps {
  store: ResultsStore;
  view: AttemptView;
  /** The areas that the owner works on already. */
  focus: readonly FocusArea[];
}

/** Up to three areas to work on, each with its reason and four ways to begin. */
export function Recommendations({ store, view, focus }: RecommendationsProps) {
  const { attempt, recommendations } = view;
  return (
    <section aria-labelledby="recommended">
      <h2 id="recommended">What to work on</h2>
      {recommendations.length === 0 ? (
        <p className="mt-2 max-w-[60ch] text-muted">
          Too few questions were answered to recommend an area. Answer more of them next time.
        </p>
      ) : (
        <>
          <p className="mt-2 max-w-[60ch] text-muted print:hidden">
            Chosen by how weak an area is, how much it matters, and where confidence runs ahead of
            the answers.
            {attempt.mine && ' You know your business: swap any of them.'}
          </p>
          <ol className="mt-5 grid gap-5 lg:grid-cols-3 print:mt-2 print:grid-cols-3 print:gap-3">
            {recommendations
              .toSorted((a, b) => a.position - b.position)
              .map((each) => (
                <Recommendation
                  key={each.position}
                  store={store}
                  view={view}
                  focus={focus}
                  entry={each}
                />
              ))}
          </ol>
        </>
      )}
    </section>
  );
}

interface RecommendationProps extends RecommendationsProps {
  entry: StoredRecommendation;
}

function Recommendation({ store, view, focus, entry }: RecommendationProps) {
  const swaps = useStore(store.$swaps);
  const area = view.version.areas.find(({ key }) => key === entry.area_key);
  const score = view.scores.find(({ area_key }) => area_key === entry.area_key);
  const pending = swaps.some(({ position }) => position === entry.position);
  const { mine } = view.attempt;
  if (!area) return null;
  return (
    <li className="card flex flex-col gap-4 p-5 md:p-6 print:gap-2 print:p-3 print:text-xs">
      <div>
        <p className="flex items-baseline gap-3 text-sm">
          <span className="font-semibold figures">{scoreText(score?.score ?? null)}</span>
          <LevelWord level={score?.level ?? null} />
          {entry.chosen_by === 'owner' && (
            <span className="ml-auto text-xs text-muted">
              {mine ? 'Your choice' : 'Owner’s choice'}
            </span>
          )}
        </p>
        <h3 className="mt-1 print:text-base">{area.name}</h3>
      </div>
      <Reason weakest={weakestOf(view, entry.reason_question_key)} mine={mine} />
      <WorkOnIt area={area} mine={mine} focus={focus} />
      <Ways entry={entry} pending={pending} mine={mine} areaName={area.name} />
      {mine && (
        <Swap
          areaName={area.name}
          others={alternatives(view)}
          pending={pending}
          onSwap={(key) => void store.swapTo(entry.position, key)}
        />
      )}
    </li>
  );
}

interface ReasonProps {
  weakest: ReturnType<typeof weakestOf>;
  mine: boolean;
}

/** The weakest practice of the area, and what to do about it. */
function Reason({ weakest, mine }: ReasonProps) {
  if (!weakest) return null;
  return (
    <>
      <p className="text-sm print:text-xs">
        <span className="text-muted">Why: the weakest practice is </span>
        <strong>{lower(weakest.question.practice)}</strong>
        <span className="text-muted">. {mine ? 'You chose' : 'Chosen'}: </span>“{weakest.chosen}”
      </p>
      <div className="rounded-control bg-primary-soft px-4 py-3 text-sm print:border print:border-line print:p-2 print:text-xs">
        <p className="font-semibold">In the next 30 days</p>
        <p className="mt-0.5">{weakest.question.action}</p>
      </div>
    </>
  );
}

interface SwapProps {
  areaName: string;
  others: ReturnType<typeof alternatives>;
  pending: boolean;
  onSwap: (areaKey: string) => void;
}

function Swap({ areaName, others, pending, onSwap }: SwapProps) {
  const ready = useReady();
  const [open, setOpen] = useState(false);
  if (others.length === 0) return null;
  return (
    <div className="mt-auto -mb-2 -ml-3 print:hidden">
      <SwapDialog
        open={open}
        onOpenChange={setOpen}
        trigger={
          <Button
            variant="quiet"
            size="small"
            disabled={!ready}
            pending={pending}
            aria-label={`Swap ${areaName} for another area`}
          >
            Swap
          </Button>
        }
        instead={areaName}
        others={others}
        onChoose={(key) => {
          setOpen(false);
          onSwap(key);
        }}
      />
    </div>
  );
}

interface WorkProps extends Pick<RecommendationsProps, 'focus'> {
  area: { key: string; name: string };
  mine: boolean;
}

/** A button to work on the area, or the news that the owner already does. */
function WorkOnIt({ area, mine, focus }: WorkProps) {
  const works = focus.some(({ area_key, state }) => area_key === area.key && state === 'open');
  const skills = hrefFor('/dashboard/skills');
  if (works) {
    return (
      <p className="text-sm print:text-xs">
        {mine ? (
          <a className="link" href={`${skills}#focus`}>
            You work on this
          </a>
        ) : (
          'The owner works on this.'
        )}
      </p>
    );
  }
  if (!mine) return null;
  return (
    <Button
      className="self-start print:hidden"
      variant="secondary"
      size="small"
      href={`${skills}?work=${area.key}#focus`}
      aria-label={`Work on this: ${area.name.toLowerCase()}`}
    >
      Work on this
    </Button>
  );
}

interface WaysProps {
  entry: StoredRecommendation;
  pending: boolean;
  mine: boolean;
  areaName: string;
}

/** Where to begin: a tool, an example, a project and a coach. */
function Ways({ entry, pending, mine, areaName }: WaysProps) {
  const { toolbox_item: item, area_key } = entry;
  return (
    <ul className="flex flex-col gap-2 text-sm print:gap-1 print:text-xs">
      {item && (
        <li>
          <a className="link" href={`${hrefFor('/dashboard/toolbox')}?item=${item.slug}`}>
            {item.title}
          </a>
          <span className="text-muted">
            {' '}
            · {item.type}, {item.minutes} minutes
          </span>
        </li>
      )}
      {!item && pending && <li className="text-muted">Choosing a tool that fits …</li>}
      <li>
        <a className="link" href={hrefFor('/case-studies/[slug]', { slug: area_key })}>
          How another business did it
        </a>
        <span className="sr-only">: {areaName}</span>
      </li>
      {mine && (
        <li className="print:hidden">
          <a
            className="link"
            href={`${hrefFor('/dashboard/projects/new')}?area=${area_key}&action=${encodeURIComponent(entry.reason_question_key)}`}
          >
            Make it a project
          </a>
          <span className="sr-only">: {areaName.toLowerCase()}</span>
        </li>
      )}
      {mine && (
        <li className="print:hidden">
          <a className="link" href={`${hrefFor('/dashboard/coaching')}?areas=${area_key}`}>
            Ask a coach
          </a>
          <span className="sr-only"> about {areaName.toLowerCase()}</span>
        </li>
      )}
    </ul>
  );
}

const lower = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);
