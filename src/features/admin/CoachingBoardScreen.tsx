import type { ReactNode } from 'react';
import type { CoachingBoard } from '#data/admin-coaching.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { Notice } from '#ui/Notice.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { Capacity } from './coaching/Capacity.tsx';
import { Funnel } from './coaching/Funnel.tsx';

interface BoardProps {
  board: CoachingBoard;
  /** The day where the admin is. */
  today: string;
  /** The list of engagements. */
  list?: ReactNode;
}

const hrefOf = (show: 'away' | 'change') => `${hrefFor('/admin/coaching')}?show=${show}#list`;

/** How coaching is going. Rendered on the server only; it needs no scripts. */
function CoachingBoardScreen({ board, today, list }: BoardProps) {
  const { funnel, coaches, attention } = board;
  return (
    <div data-wide className="flex flex-col gap-8">
      <h1>Coaching</h1>
      {(attention.away > 0 || attention.change > 0) && (
        <div className="grid gap-3 lg:auto-cols-fr lg:grid-flow-col">
          {attention.change > 0 && (
            <Notice
              tone="caution"
              title={
                attention.change === 1
                  ? 'An owner asks for another coach'
                  : `${attention.change} owners ask for another coach`
              }
            >
              <a className="link" href={hrefOf('change')}>
                {attention.change === 1 ? 'See who and why' : 'See who they are'}
              </a>
            </Notice>
          )}
          {attention.away > 0 && (
            <Notice tone="caution" title="Clients of coaches who are away">
              <a className="link" href={hrefOf('away')}>
                {attention.away === 1 ? 'See the one' : `See all ${attention.away}`}
              </a>{' '}
              and decide: wait, or hand over to someone else.
            </Notice>
          )}
        </div>
      )}
      <div className="grid items-start gap-5 xl:grid-cols-2">
        <Funnel funnel={funnel} />
        <Capacity coaches={coaches} today={today} />
      </div>
      {list}
    </div>
  );
}

export default screen(CoachingBoardScreen);
