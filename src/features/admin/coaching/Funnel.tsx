import type { CoachingBoard } from '#data/admin-coaching.ts';
import { ENGAGEMENT_LABELS } from '#domain/admin-businesses.ts';
import { hoursText } from '#domain/admin-coaching.ts';
import { wholeText } from '#lib/locale/numbers.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { Section } from '#ui/Section.tsx';

type Step = CoachingBoard['funnel'][number];

const hrefOf = ({ state }: Step, late: boolean) =>
  `${hrefFor('/admin/coaching')}?state=${state}${late ? '&late=1' : ''}#list`;

/** How many engagements are in each open state, how many of them are late, and since when. */
export function Funnel({ funnel }: Pick<CoachingBoard, 'funnel'>) {
  const most = Math.max(...funnel.map(({ count }) => count), 1);
  const late = funnel.reduce((sum, each) => sum + each.late, 0);
  return (
    <Section
      id="states"
      title="Where coaching is"
      className="card flex min-w-0 flex-col p-5 sm:p-6"
    >
      {late > 0 && (
        <p className="mt-1 flex items-baseline gap-x-2 text-xs text-muted">
          <svg viewBox="0 0 24 10" className="h-2.5 w-6 shrink-0" aria-hidden="true">
            <LatePattern />
            <rect width="24" height="10" fill="url(#late)" />
          </svg>
          Late: the next step should have happened by now
        </p>
      )}
      <ol className="mt-4 flex flex-col gap-4">
        {funnel.map((step) => (
          <FunnelRow key={step.state} step={step} most={most} />
        ))}
      </ol>
    </Section>
  );
}

/** Stripes, so that color isn't what tells late ones apart. */
const LatePattern = () => (
  <defs>
    <pattern
      id="late"
      width="4"
      height="4"
      patternUnits="userSpaceOnUse"
      patternTransform="rotate(45)"
    >
      <rect width="4" height="4" className="fill-clay" />
      <path d="M0 0v4" className="stroke-surface" strokeWidth="1.6" />
    </pattern>
  </defs>
);

/** How long they have been there: the median, which for two of them is halfway. */
const stayText = (count: number, hours: number) =>
  `${count === 1 ? 'There for' : 'Typically there for'} ${hoursText(hours)}`;

function FunnelRow({ step, most }: { step: Step; most: number }) {
  const { state, count, late, median_hours } = step;
  const share = (part: number) => `${(100 * part) / most}%`;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-end gap-x-4">
      <span className="text-sm">
        <a className="link" href={hrefOf(step, false)}>
          {ENGAGEMENT_LABELS[state]}
        </a>
      </span>
      <span className="row-span-2 min-w-10 text-right font-display text-xl figures">
        {wholeText(count)}
      </span>
      <svg className="mt-1.5 mb-1 block h-3 w-full rounded-small" aria-hidden="true">
        <rect width="100%" height="100%" className="fill-petal" />
        <rect width={share(count)} height="100%" className="fill-leaf" />
        <rect width={share(late)} height="100%" fill="url(#late)" />
      </svg>
      <span className="col-span-2 text-xs text-muted">
        {late > 0 && (
          <>
            <a className="link text-danger" href={hrefOf(step, true)}>
              {wholeText(late)} late
            </a>
            {' · '}
          </>
        )}
        {median_hours === null ? 'Nobody right now' : stayText(count, median_hours)}
      </span>
    </li>
  );
}
