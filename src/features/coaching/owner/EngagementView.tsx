import { useEffect, useRef, useState } from 'react';
import { isOpenEngagement } from '#domain/engagement.ts';
import { coachName, ownerText } from '#domain/engagement-text.ts';
import { reportError } from '#stores/session.ts';
import { Button } from '#ui/Button.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Notice } from '#ui/Notice.tsx';
import { useAction } from '#ui/use-action.ts';
import { useFocusBack } from '#ui/use-focus-back.ts';
import { useOpenedPart } from '#ui/use-part.ts';
import type { CoachingStore, Engagement } from '../coaching-store.ts';
import { Actions } from './Actions.tsx';
import { type Asking, loadDialogs } from './asking.ts';
import { ChooseCoach } from './ChooseCoach.tsx';
import { CoachCard } from './CoachCard.tsx';
import { Facts, RequestFacts, Sharing } from './EngagementSettings.tsx';
import { Next } from './Next.tsx';
import { Offer } from './Offers.tsx';
import { Recommendations } from './Recommendations.tsx';
import type { Reader } from './reader.ts';
import { Sessions } from './Sessions.tsx';
import { Steps } from './Steps.tsx';

export interface EngagementProps {
  store: CoachingStore;
  engagement: Engagement;
  business: string | null;
  areas: readonly { key: string; name: string }[];
  reader: Reader;
  /** Whether it takes focus when it appears. */
  focus: boolean;
  onWithdraw: () => void;
}

/** Coaching for one business: where it is, what's next, and everything in it. */
export function EngagementView(props: EngagementProps) {
  const { store, engagement, areas, reader } = props;
  const [asking, setAsking] = useState<Asking | null>(null);
  const close = () => setAsking(null);
  const dialogs = useOpenedPart(loadDialogs, asking !== null, close);
  const isOpen = isOpenEngagement(engagement);
  const hasWork =
    engagement.actions.length > 0 || ['accepted', 'active'].includes(engagement.state);
  return (
    <section aria-labelledby={`state-${engagement.id}`} className="flex flex-col gap-5">
      <Head {...props} />
      {engagement.offers.map((offer) => (
        <Offer
          key={offer.id}
          store={store}
          engagement={engagement}
          offer={offer}
          reader={reader}
          onDecline={() => setAsking({ kind: 'decline', offerId: offer.id })}
        />
      ))}
      <div className="grid gap-5 lg:grid-cols-[minmax(0,1fr)_20rem] lg:grid-rows-[auto_1fr] lg:items-start">
        {/* On a phone the coach comes first; on a wide screen they're at the side. */}
        {engagement.coach && (
          <div className="min-w-0 lg:col-start-2 lg:row-start-1">
            <CoachCard engagement={engagement} areas={areas} reader={reader} />
          </div>
        )}
        <div className="flex min-w-0 flex-col gap-5 lg:col-start-1 lg:row-span-2 lg:row-start-1">
          {engagement.state === 'requested' && (
            <ChooseCoach store={store} engagement={engagement} areas={areas} reader={reader} />
          )}
          {(engagement.sessions.length > 0 || (isOpen && engagement.accepted_at)) && (
            <Sessions
              engagement={engagement}
              areas={areas}
              reader={reader}
              onCancel={(session) => setAsking({ kind: 'cancel', session })}
              onRate={(session) => setAsking({ kind: 'rate', session })}
            />
          )}
          {hasWork && (
            <Actions
              store={store}
              engagement={engagement}
              reader={reader}
              onAdd={() => setAsking({ kind: 'action' })}
            />
          )}
          <Recommendations store={store} engagement={engagement} />
        </div>
        <Settings {...props} onAsk={setAsking} />
      </div>
      {asking && dialogs && (
        <dialogs.EngagementDialog
          store={store}
          engagement={engagement}
          asking={asking}
          reader={reader}
          onClose={close}
        />
      )}
    </section>
  );
}

function Head(props: EngagementProps) {
  const { engagement, business, reader, focus } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (focus) heading.current?.focus();
  }, [focus]);
  const { state, sessions, offers, change_requested } = engagement;
  useFocusBack(heading, `${state} ${sessions.length} ${offers.length} ${change_requested}`);
  const words = ownerText(engagement);
  const showsSteps = isOpenEngagement(engagement) || state === 'unreachable';
  return (
    <div className="card flex flex-col gap-6 p-5 md:p-6">
      <div>
        {business && <p className="eyebrow [overflow-wrap:anywhere]">{business}</p>}
        <h2 id={`state-${engagement.id}`} ref={heading} tabIndex={-1} className="mt-1">
          {words.title}
        </h2>
        <p className="mt-2 max-w-[60ch] text-muted">{words.next}</p>
        <ClosingWords engagement={engagement} />
      </div>
      {showsSteps && <Steps engagement={engagement} reader={reader} />}
      <Next engagement={engagement} reader={reader} />
      <Notices {...props} />
      <OneStep {...props} />
    </div>
  );
}

/** What the coach or our staff wrote at the end. */
function ClosingWords({ engagement: { closing_summary, referral, coach } }: EngagementWords) {
  if (!closing_summary && !referral) return null;
  return (
    <blockquote className="mt-4 max-w-[68ch] border-l-3 border-leaf-light pl-4">
      <p className="whitespace-pre-line [overflow-wrap:anywhere]">{closing_summary ?? referral}</p>
      {closing_summary && coach?.full_name && (
        <footer className="mt-1 text-sm text-muted">{coach.full_name}</footer>
      )}
    </blockquote>
  );
}

type EngagementWords = Pick<EngagementProps, 'engagement'>;

/** Days after a new coach was asked in which the page asks about sharing again. */
const ASK_AGAIN_DAYS = 30;

/** Whether someone else coached before, and results aren't shared with the new one. */
function asksToShare({ coach, results_shared, events, assigned_at }: Engagement, now: string) {
  if (!coach || results_shared || !assigned_at) return false;
  const isRecent = Date.parse(now) - Date.parse(assigned_at) < ASK_AGAIN_DAYS * 86_400_000;
  const hadAnother = events.some(
    ({ kind, to_state, from_state }) =>
      kind === 'coach_changed' || (to_state === 'requested' && from_state !== null),
  );
  return isRecent && hadAnother;
}

function Notices({ store, engagement, reader }: EngagementProps) {
  const { run, pending, failure } = useAction(reportError);
  const name = coachName(engagement);
  return (
    <>
      {isOpenEngagement(engagement) && asksToShare(engagement, reader.now) && (
        <Notice
          title={`Share your results with ${name}?`}
          action={
            <Button size="small" needsScript onClick={() => void store.share(engagement.id, true)}>
              Share my results
            </Button>
          }
        >
          You have a new coach, who starts without access to your results. You can stop sharing
          anytime.
        </Notice>
      )}
      {engagement.change_requested && isOpenEngagement(engagement) && (
        <Notice
          title="You asked for another coach"
          action={
            <Button
              size="small"
              variant="secondary"
              needsScript
              pending={pending}
              onClick={() => void run(() => store.keepCoach(engagement.id))}
            >
              Keep {name}
            </Button>
          }
        >
          Our staff are looking for someone. Until then {name} stays your coach and doesn’t know.
          <Failure className="mt-3" failure={failure} />
        </Notice>
      )}
    </>
  );
}

/** The one step that an owner can take from a state in which everything waits for them. */
function OneStep({ store, engagement }: EngagementProps) {
  const { run, pending, failure } = useAction(reportError);
  const { id, state, can_reopen } = engagement;
  const steps: Partial<Record<Engagement['state'], [label: string, act: () => Promise<void>]>> = {
    paused: ['Pick it up now', () => store.resume(id)],
    ...(can_reopen && {
      unreachable: ['I’m here', () => store.resumeContact(id)],
      completed: ['Pick it up again', () => store.reopen(id)],
    }),
  };
  const step = steps[state];
  if (!step) return null;
  const [label, act] = step;
  return (
    <div className="flex flex-col items-start gap-3">
      <Failure failure={failure} title="Nothing changed" />
      <Button
        variant={state === 'completed' ? 'secondary' : 'primary'}
        needsScript
        pending={pending}
        onClick={() => void run(act)}
      >
        {label}
      </Button>
    </div>
  );
}

function Settings(props: EngagementProps & { onAsk: (asking: Asking) => void }) {
  const { store, engagement, areas, reader } = props;
  const isOpen = isOpenEngagement(engagement);
  return (
    <div className="flex min-w-0 flex-col gap-5 lg:col-start-2">
      {isOpen && (
        <Sharing
          engagement={engagement}
          onShare={(shared) => void store.share(engagement.id, shared)}
        />
      )}
      {isOpen ? (
        <RequestFacts {...props} />
      ) : (
        <section aria-label="Your request" className="card p-5 md:p-6">
          <Facts engagement={engagement} areas={areas} reader={reader} />
        </section>
      )}
    </div>
  );
}
