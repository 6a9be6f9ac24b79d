import { useStore } from '@nanostores/react';
import { useRef, useState } from 'react';
import type { Engagement, SkillArea } from '#data/coaching.ts';
import { isOpenEngagement, withdrawText } from '#domain/engagement.ts';
import { db } from '#lib/db.ts';
import { addBusinessHref } from '#lib/routing/next-path.ts';
import { hrefFor } from '#lib/routing/routes.ts';
import { reportError } from '#stores/session.ts';
import { Button } from '#ui/Button.tsx';
import { Confirm, type Question } from '#ui/Confirm.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { Notice } from '#ui/Notice.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { useFocusBack } from '#ui/use-focus-back.ts';
import { type CoachingStore, createCoachingStore } from './coaching-store.ts';
import { EngagementCard } from './EngagementCard.tsx';
import { RequestForm } from './RequestForm.tsx';

interface CoachingProps {
  engagements: Engagement[];
  /** The owner's businesses, the current one first. */
  businesses: { id: string; name: string }[];
  areas: SkillArea[];
  /** Areas checked at first: the one in the recommendation the user followed here. */
  chosenAreas: string[];
  /** The reader's IANA time zone. */
  timeZone: string;
  /** Whether owners can ask for a coach right now. */
  takesRequests: boolean;
  /** This page's path with its query, so other pages can link back. */
  here: string;
}

const isClosed = (engagement: Engagement) => !isOpenEngagement(engagement);

/** Asks before withdrawing, then moves focus to the card, which is now among the closed ones. */
function useWithdrawal(store: CoachingStore, engagements: readonly Engagement[]) {
  const [question, setQuestion] = useState<Question | null>(null);
  const withdrawn = useRef<string | null>(null);
  const card = useRef({
    focus: () => document.getElementById(`state-${withdrawn.current}`)?.focus(),
  });
  useFocusBack(card, engagements);
  const ask = (engagement: Engagement, business: string | null) => {
    const { button, ...words } = withdrawText(engagement, business);
    withdrawn.current = engagement.id;
    setQuestion({ ...words, yes: button, danger: true, act: () => store.withdraw(engagement.id) });
  };
  return { question, ask, close: () => setQuestion(null) };
}

/** An owner's coaching: its current state, who can see what, and a form to request it. */
function CoachingScreen(props: CoachingProps) {
  const { businesses, areas, chosenAreas, timeZone, here } = props;
  const [store] = useState(() => createCoachingStore(db, props.engagements));
  const engagements = useStore(store.$engagements);
  const withdrawal = useWithdrawal(store, engagements);
  // The user just made a request, so focus moves to it next.
  const hasRequested = engagements.length > props.engagements.length;
  const open = engagements.filter(isOpenEngagement);
  const closed = engagements.filter(isClosed);
  const nameOf = ({ business_id }: Engagement) =>
    businesses.find(({ id }) => id === business_id)?.name ?? null;
  const card = (engagement: Engagement, focus = false) => (
    <EngagementCard
      key={engagement.id}
      engagement={engagement}
      business={nameOf(engagement)}
      areas={areas}
      timeZone={timeZone}
      focus={focus}
      onShare={(shared) => void store.share(engagement.id, shared)}
      onWithdraw={() => withdrawal.ask(engagement, nameOf(engagement))}
    />
  );
  return (
    <div className="flex flex-col gap-8">
      <Header />
      {open.map((engagement, index) => card(engagement, hasRequested && index === 0))}
      <Request
        businesses={businesses}
        open={open}
        areas={areas}
        chosenAreas={hasRequested ? [] : chosenAreas}
        onRequest={store.request}
        takesRequests={props.takesRequests}
        here={here}
      />
      {closed.length > 0 && (
        <section aria-labelledby="before" className="flex flex-col gap-5">
          <h2 id="before">Earlier coaching</h2>
          {closed.map((engagement) => card(engagement))}
        </section>
      )}
      <Confirm question={withdrawal.question} onClose={withdrawal.close} onError={reportError} />
    </div>
  );
}

const Header = () => (
  <header>
    <h1>Coaching</h1>
    <p className="mt-2 max-w-[60ch] text-muted">
      An hour at a time with someone who’s run a business or helped others run theirs, on whatever
      you choose.{' '}
      <a className="link" href={hrefFor('/coaching')}>
        How it works
      </a>
    </p>
  </header>
);

interface RequestProps
  extends Pick<CoachingProps, 'businesses' | 'areas' | 'chosenAreas' | 'takesRequests' | 'here'> {
  open: Engagement[];
  onRequest: CoachingStore['request'];
}

/** The form for businesses without an open engagement, or a link to add a first business. */
function Request({ businesses, open, takesRequests, here, ...form }: RequestProps) {
  if (businesses.length === 0) {
    return (
      <EmptyState
        title="Coaching starts with a business"
        action={<Button href={addBusinessHref(here)}>Add your business</Button>}
      >
        All we need is its name. It doesn’t have to be open yet.
      </EmptyState>
    );
  }
  const without = businesses.filter(({ id }) => !open.some((each) => each.business_id === id));
  if (without.length === 0) return null;
  if (!takesRequests) {
    return (
      <Notice title="Coaching requests are paused">
        We can’t take new requests right now. Coaching that’s under way continues.
      </Notice>
    );
  }
  return (
    <RequestForm
      // After a request, the form for the next one starts empty.
      key={without.map(({ id }) => id).join()}
      {...form}
      businesses={without}
      another={open.length > 0}
    />
  );
}

export default screen(CoachingScreen);
