import { type RefObject, useRef, useState } from 'react';
import { type AdminEngagement, getEngagement, type Match } from '#data/admin-engagement.ts';
import { ENGAGEMENT_LABELS } from '#domain/admin-businesses.ts';
import { NEXT_STEP_LABELS } from '#domain/admin-coaching.ts';
import { db } from '#lib/db.ts';
import { dayOf, nearDayText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { hrefIfExists } from '#lib/routing/routes.ts';
import { reportError } from '#stores/session.ts';
import { addToast } from '#stores/toasts.ts';
import { Button } from '#ui/Button.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { useFocusBack } from '#ui/use-focus-back.ts';
import { useOpenedPart } from '#ui/use-part.ts';
import { Attention } from './coaching/Attention.tsx';
import { isHandover } from './coaching/assignment.ts';
import { actionsFor, type EngagementAction } from './coaching/engagement-actions.ts';
import { History } from './coaching/History.tsx';
import { Matches } from './coaching/Matches.tsx';
import { type EngagementNames, namesIn } from './coaching/names.ts';
import { Records } from './coaching/Records.tsx';
import { Request } from './coaching/Request.tsx';
import { Sessions } from './coaching/Sessions.tsx';

interface EngagementProps {
  page: AdminEngagement;
  /** Names of languages, by BCP 47 code. */
  languages: Record<string, string>;
  /** The admin's IANA time zone and the day there. */
  timeZone: string;
  today: string;
}

const loadReason = () => import('./ReasonDialog.tsx');
const loadAssign = () => import('./coaching/AssignDialog.tsx');

/** What's open: an action with a reason, or assigning a coach (null lets the admin choose one). */
type Opened = { action: EngagementAction } | { coach: Match | null } | null;

/** The page's data, what's open in front of it, and what that does. */
function useEngagement(initial: AdminEngagement) {
  const [page, setPage] = useState(initial);
  const [opened, setOpened] = useState<Opened>(null);
  const reload = async () => setPage(await getEngagement(await db(), page.engagement.id));

  async function run({ run: act, done }: EngagementAction, reason: string, answer: string) {
    try {
      await act(await db(), reason, answer);
      addToast({ tone: 'good', title: done });
      await reload();
    } catch (thrown) {
      throw reportError(thrown);
    }
  }
  async function assigned({ name }: Match) {
    const { engagement } = page;
    addToast({
      tone: 'good',
      title: isHandover(engagement)
        ? `${name} is ${engagement.business.name}’s coach now.`
        : `${name} has the request of ${engagement.business.name}.`,
    });
    await reload();
  }
  return { page, opened, setOpened, run, assigned };
}

/** One engagement with everything that belongs to it, and what an admin can do about it. */
function AnyEngagementScreen(props: EngagementProps) {
  const { languages, timeZone, today } = props;
  const whole = useEngagement(props.page);
  const { page, setOpened } = whole;
  const { engagement } = page;
  const names = namesIn(page, languages);
  const where = { timeZone, today };
  const heading = useRef<HTMLHeadingElement>(null);
  // What was opened may be gone with what it changed.
  useFocusBack(heading, page);
  const audit = hrefIfExists(`/admin/audit?business=${engagement.business.id}`);
  const request = <Request engagement={engagement} names={names} timeZone={timeZone} />;
  return (
    <div className="flex flex-col gap-8">
      <Head engagement={engagement} {...where} heading={heading} />
      <Attention engagement={engagement} {...where} onHandOver={() => setOpened({ coach: null })} />
      <Buttons engagement={engagement} onOpen={setOpened} />
      {engagement.state === 'requested' && (
        <>
          {/* Who fits is chosen by what was asked for. */}
          {request}
          <Matches
            matches={page.matches}
            names={names}
            action="Assign"
            onChoose={(coach) => setOpened({ coach })}
            today={today}
          />
        </>
      )}
      {engagement.state !== 'requested' && request}
      <Sessions {...page} names={names} timeZone={timeZone} />
      <Records page={page} names={names} {...where} />
      <History {...page} timeZone={timeZone} />
      {audit && (
        <p className="text-sm">
          <a className="link" href={audit}>
            Audit log for {engagement.business.name}
          </a>
        </p>
      )}
      <Dialogs {...whole} names={names} {...where} />
    </div>
  );
}

type DialogsProps = ReturnType<typeof useEngagement> &
  Pick<EngagementProps, 'timeZone' | 'today'> & { names: EngagementNames };

function Dialogs({ page, opened, setOpened, run, assigned, ...where }: DialogsProps) {
  const close = () => setOpened(null);
  const action = opened && 'action' in opened ? opened.action : null;
  const isAssigning = opened !== null && 'coach' in opened;
  const reason = useOpenedPart(loadReason, action !== null, close);
  const assign = useOpenedPart(loadAssign, isAssigning, close);
  if (action && reason) {
    return (
      <reason.ReasonDialog
        action={{ ...action, onSubmit: (why, answer) => run(action, why, answer) }}
        onClose={close}
      />
    );
  }
  if (!isAssigning || !assign) return null;
  return (
    <assign.AssignDialog
      page={page}
      chosen={opened.coach}
      {...where}
      onClose={close}
      onAssigned={assigned}
    />
  );
}

/** Steps that happen on their day, not by it. */
const ON_ITS_DAY: readonly string[] = ['session', 'resume'];

interface PartProps {
  engagement: AdminEngagement['engagement'];
}

interface HeadProps extends PartProps, Pick<EngagementProps, 'timeZone' | 'today'> {
  heading: RefObject<HTMLHeadingElement | null>;
}

function Head({ engagement, timeZone, today, heading }: HeadProps) {
  const { business, owner, coach, state, state_since, due_what, due_at, late } = engagement;
  return (
    <header className="min-w-0">
      <p className="mb-2 text-sm">
        <a className="link" href={hrefFor('/admin/coaching')}>
          Coaching
        </a>
      </p>
      <h1 ref={heading} tabIndex={-1} className="wrap-anywhere">
        {business.name}
      </h1>
      <p className="mt-2 text-muted">
        {owner ? owner.name || 'Unnamed' : 'A deleted account'}
        {coach ? ` with ${coach.name || 'an unnamed coach'}` : ', no coach yet'}
      </p>
      <p className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        <span className="rounded-full bg-primary-soft px-3 py-0.5 font-semibold">
          {ENGAGEMENT_LABELS[state]}
        </span>
        <span className="text-muted">since {nearDayText(dayOf(state_since, timeZone), today)}</span>
        {due_what && due_at && (
          <span>
            Next: {NEXT_STEP_LABELS[due_what].toLowerCase()},{' '}
            <time dateTime={due_at} className={late ? 'font-semibold text-danger' : undefined}>
              {late ? 'was due ' : ON_ITS_DAY.includes(due_what) ? 'on ' : 'by '}
              {nearDayText(dayOf(due_at, timeZone), today)}
            </time>
          </span>
        )}
      </p>
    </header>
  );
}

function Buttons({ engagement, onOpen }: PartProps & { onOpen: (opened: Opened) => void }) {
  const { coach, closed_at, change_requested_at } = engagement;
  const actions = actionsFor(engagement);
  const canChange = closed_at === null && coach !== null && !coach.away && !change_requested_at;
  if (actions.length === 0 && !canChange) return null;
  return (
    <section aria-label="What you can do" className="flex flex-wrap gap-2">
      {canChange && (
        <Button
          size="small"
          variant="secondary"
          needsScript
          onClick={() => onOpen({ coach: null })}
        >
          Choose another coach
        </Button>
      )}
      {actions.map((action) => (
        <Button
          key={action.key}
          size="small"
          variant="secondary"
          needsScript
          onClick={() => onOpen({ action })}
        >
          {action.label}
        </Button>
      ))}
    </section>
  );
}

export default screen(AnyEngagementScreen);
