import { useStore } from '@nanostores/react';
import { useState } from 'react';
import { type StoredRecommendation, swapRecommendation } from '#data/attempts.ts';
import { db } from '#lib/db.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { createOptimistic } from '#stores/optimistic.ts';
import { Button } from '#ui/Button.tsx';
import { LevelWord } from '#ui/charts/BloomTable.tsx';
import { scoreText } from '#ui/charts/levels.ts';
import { Dialog } from '#ui/Dialog.tsx';
import { useSay } from '#ui/InLanguage.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { Section } from '#ui/Section.tsx';
import { LinkItem } from './LinkItem.tsx';
import {
  alternatives,
  type Recommended,
  type RecommendedArea,
  type Swap as SwapChange,
  withSwap,
} from './results.ts';
import { workHref } from './work-href.ts';

/**
 * Up to three areas to work on, each with its reason and up to four ways to start. The owner can
 * swap them; other readers can't.
 */
function RecommendationsScreen({ initial }: { initial: Recommended }) {
  const say = useSay();
  const { attemptId } = initial;
  const [store] = useState(() =>
    createOptimistic<Recommended, SwapChange>(initial, {
      apply: withSwap,
      send: async ({ position, areaKey }) => {
        const view = await swapRecommendation(await db(), attemptId, position, areaKey);
        return { ...initial, recommendations: view.recommendations };
      },
      failure: say('We couldn’t swap the area'),
    }),
  );
  const shown = useStore(store.$shown);
  const swapping = useStore(store.$pending).map(({ change }) => change.position);
  return (
    <Section id="recommended" title={say('What to work on')} titleClass="">
      {shown.recommendations.length === 0 ? (
        <p className="mt-2 max-w-[60ch] text-muted">
          {say(
            'There aren’t enough answers to recommend an area. Answer more questions next time.',
          )}
        </p>
      ) : (
        <>
          <p className="mt-2 max-w-[60ch] text-muted print:hidden">
            {say(
              'Based on how weak the area is, how much it matters, and where confidence runs ahead of the answers.',
            )}
            {initial.canSwap && ` ${say('You know your business, so swap any you disagree with.')}`}
          </p>
          <ol className="mt-5 grid gap-5 lg:grid-cols-3 print:mt-2 print:grid-cols-3 print:gap-3">
            {shown.recommendations
              .toSorted((a, b) => a.position - b.position)
              .map((each) => (
                <Recommendation
                  key={each.position}
                  entry={each}
                  shown={shown}
                  pending={swapping.includes(each.position)}
                  onSwap={(areaKey) => void store.put({ position: each.position, areaKey })}
                />
              ))}
          </ol>
        </>
      )}
    </Section>
  );
}

interface RecommendationProps {
  entry: StoredRecommendation;
  shown: Recommended;
  /** Whether a swap is still being saved. */
  pending: boolean;
  onSwap: (areaKey: string) => void;
}

function Recommendation({ entry, shown, pending, onSwap }: RecommendationProps) {
  const say = useSay();
  const { mine } = shown;
  const area = shown.areas.find(({ key }) => key === entry.area_key);
  if (!area) return null;
  return (
    <li className="card flex flex-col gap-4 p-5 md:p-6 print:gap-1 print:p-3 print:text-xs">
      <div>
        <p className="flex items-baseline gap-3 text-sm">
          <span className="font-semibold figures">{scoreText(area.score)}</span>
          <LevelWord level={area.level} />
          {entry.chosen_by === 'owner' && (
            <span className="ml-auto text-xs text-muted">
              {mine ? say('Your choice') : say('Owner’s choice')}
            </span>
          )}
        </p>
        <h3 className="mt-1 print:text-base">{area.name}</h3>
      </div>
      <Reason area={area} mine={mine} />
      <WorkOnIt area={area} mine={mine} />
      <Ways entry={entry} pending={pending} mine={mine} areaName={area.name} />
      {shown.canSwap && (
        <Swap areaName={area.name} others={alternatives(shown)} pending={pending} onSwap={onSwap} />
      )}
    </li>
  );
}

/** The weakest practice of the area, what to aim for and do about it, and why it ranks here. */
function Reason({ area: { weakest, rank }, mine }: { area: RecommendedArea; mine: boolean }) {
  const say = useSay();
  if (!weakest) return null;
  return (
    <>
      <p className="text-sm print:text-xs">
        <span className="text-muted">{say('Weakest practice')}: </span>
        <strong>{weakest.practice}</strong>
        <span className="text-muted">. {mine ? say('You chose') : say('They chose')}: </span>
        {say('“{answer}”', { answer: weakest.chosen })}
      </p>
      {weakest.next && (
        <p className="text-sm print:text-xs">
          <span className="text-muted">{say('Next step up')}: </span>
          {say('“{answer}”', { answer: weakest.next })}
        </p>
      )}
      <div className="rounded-control bg-primary-soft px-4 py-3 text-sm print:border print:border-line print:p-2 print:text-xs">
        <p className="font-semibold">{say('In the next 30 days')}</p>
        <p className="mt-0.5">{weakest.action}</p>
      </div>
      {rank && <p className="text-xs text-muted">{rank}</p>}
    </>
  );
}

interface SwapProps {
  areaName: string;
  others: RecommendedArea[];
  pending: boolean;
  onSwap: (areaKey: string) => void;
}

/** A dialog of the other areas with a score, each with its weakest practice. One click swaps. */
function Swap({ areaName, others, pending, onSwap }: SwapProps) {
  const say = useSay();
  const [open, setOpen] = useState(false);
  if (others.length === 0) return null;
  const trigger = (
    <Button
      variant="quiet"
      size="small"
      pending={pending}
      aria-label={say('Swap {area} for another area', { area: areaName })}
    >
      {say('Swap')}
    </Button>
  );
  return (
    <div className="mt-auto -mb-2 -ml-3 print:hidden">
      <Dialog
        trigger={trigger}
        open={open}
        onOpenChange={setOpen}
        title={say('Instead of {area}', { area: lower(areaName) })}
        description={say('Your scores stay the same. Only what you work on changes.')}
      >
        <ul className="flex flex-col gap-2">
          {others.map(({ key, name, score, level, weakest }) => (
            <li key={key}>
              <button
                type="button"
                onClick={() => {
                  setOpen(false);
                  onSwap(key);
                }}
                className="flex w-full flex-col gap-1 rounded-control border border-line bg-surface px-4 py-3 text-left hover:border-edge hover:bg-raised"
              >
                <span className="flex w-full flex-wrap items-baseline justify-between gap-x-3">
                  <strong>{name}</strong>
                  <span className="flex items-baseline gap-3 text-sm">
                    <LevelWord level={level} />
                    <span className="font-semibold figures">{scoreText(score)}</span>
                  </span>
                </span>
                {weakest && (
                  <span className="text-sm text-muted">
                    {say('Weakest practice')}: {weakest.practice}
                  </span>
                )}
              </button>
            </li>
          ))}
        </ul>
      </Dialog>
    </div>
  );
}

/** A button to work on the area, or a note that the owner already is. */
function WorkOnIt({ area, mine }: { area: RecommendedArea; mine: boolean }) {
  const say = useSay();
  const skills = hrefFor('/dashboard/skills');
  if (area.working) {
    return (
      <p className="text-sm print:text-xs">
        {mine ? (
          <>
            {say('You’re working on this.')}{' '}
            <a className="link whitespace-nowrap print:hidden" href={`${skills}#focus`}>
              {say('See how far you are')}
              <span className="sr-only">
                {' '}
                {say('about {area}', { area: area.name.toLowerCase() })}
              </span>
            </a>
          </>
        ) : (
          say('The owner is working on this.')
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
      href={workHref(area.key, area.weakest?.key)}
      aria-label={say('Work on this: {area}', { area: area.name.toLowerCase() })}
    >
      {say('Work on this')}
    </Button>
  );
}

interface WaysProps {
  entry: StoredRecommendation;
  pending: boolean;
  mine: boolean;
  areaName: string;
}

/** Links to start with: a tool, an example and a coach. */
function Ways({ entry, pending, mine, areaName }: WaysProps) {
  const say = useSay();
  const { toolbox_item: item, area_key } = entry;
  const about = areaName.toLowerCase();
  return (
    <ul className="flex flex-col gap-2 text-sm print:gap-1 print:text-xs">
      {item && (
        <LinkItem
          href={`${hrefFor('/dashboard/toolbox')}?item=${item.slug}`}
          text={say(item.title)}
          note={say('· {type}, {minutes} minutes', {
            type: say(item.type),
            minutes: item.minutes,
          })}
        />
      )}
      {!item && pending && <li className="text-muted">{say('Finding a tool that fits…')}</li>}
      <LinkItem
        href={hrefFor('/case-studies/[slug]', { slug: area_key })}
        text={say('How another business did it')}
        about={`: ${areaName}`}
      />
      {mine && (
        <LinkItem
          className="print:hidden"
          href={`${hrefFor('/dashboard/coaching')}?areas=${area_key}`}
          text={say('Ask a coach')}
          about={` ${say('about {area}', { area: about })}`}
        />
      )}
    </ul>
  );
}

const lower = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

export default screen(RecommendationsScreen);
