import { useStore } from '@nanostores/react';
import { useRef, useState } from 'react';
import type { Engagement } from '#data/coaching.ts';
import type { SkillArea } from '#data/toolbox.ts';
import { isOpenEngagement, withdrawText } from '#domain/engagement.ts';
import { db } from '#lib/db.ts';
import { addBusinessHref } from '#lib/next-path.ts';
import { hrefFor } from '#lib/routes.ts';
import { reportError } from '#stores/session.ts';
import { addToast } from '#stores/toasts.ts';
import { Button } from '#ui/Button.tsx';
import { Confirm, type Question } from '#ui/Confirm.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { useFocusBack } from '#ui/use-focus-back.ts';
import { createCoachingStore } from './coaching-store.ts';
import { EngagementCard } from './EngagementCard.tsx';
import { RequestForm } from './RequestForm.tsx';

interface CoachingProps {
  engagements: Engagement[];
  /** The current business first. */
  businesses: { id: string; name: string }[];
  areas: SkillArea[];
  /** Areas that are ticked to begin with: what a recommendation led here for. */
  chosenAreas: string[];
  /** The reader's IANA time zone. */
  timeZone: string;
  /** The path of this page with its query, to come back to. */
  here: string;
}

/** An owner's coaching: where it is now, who reads what, and a form that asks for it. */
function CoachingScreen(props: CoachingProps) {
  const { businesses, areas, chosenAreas, timeZone, here } = props;
  const [store] = useState(() =>
    createCoachingStore(
      {
        db,
        failed: (error, again) =>
          addToast({
            tone: 'bad',
            title: 'Sharing stays as it was',
            text: error.message,
            action: { label: 'Try again', onPress: again },
          }),
      },
      props.engagements,
    ),
  );
  const engagements = useStore(store.$engagements);
  // What was asked for just now is what the reader should come to next.
  const asked = engagements.length > props.engagements.length;
  const open = engagements.filter(isOpenEngagement);
  const closed = engagements.filter((each) => !isOpenEngagement(each));
  const without = businesses.filter(({ id }) => !open.some((each) => each.business_id === id));
  const [question, setQuestion] = useState<Question | null>(null);
  // Its card moves to the closed ones, and the button that was pressed is gone.
  const withdrawn = useRef<string | null>(null);
  const ended = useRef({
    focus: () => document.getElementById(`state-${withdrawn.current}`)?.focus(),
  });
  useFocusBack(ended, engagements);
  const askToWithdraw = (engagement: Engagement) => {
    const { button, ...words } = withdrawText(engagement, nameOf(engagement));
    withdrawn.current = engagement.id;
    setQuestion({ ...words, yes: button, danger: true, act: () => store.withdraw(engagement.id) });
  };
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
      onWithdraw={() => askToWithdraw(engagement)}
    />
  );
  return (
    <div className="flex flex-col gap-8">
      <header>
        <h1>Coaching</h1>
        <p className="mt-2 max-w-[60ch] text-muted">
          Somebody who has run a business or helped many of them, an hour at a time, on what you
          choose.{' '}
          <a className="link" href={hrefFor('/coaching')}>
            How it works
          </a>
        </p>
      </header>
      {open.map((engagement, index) => card(engagement, asked && index === 0))}
      {businesses.length === 0 ? (
        <EmptyState
          title="Coaching is about a business"
          action={<Button href={addBusinessHref(here)}>Add your business</Button>}
        >
          Its name is enough. It need not be trading yet.
        </EmptyState>
      ) : (
        without.length > 0 && (
          <RequestForm
            // A request that was made starts the next one from a blank form.
            key={without.map(({ id }) => id).join()}
            businesses={without}
            areas={areas}
            chosenAreas={asked ? [] : chosenAreas}
            another={open.length > 0}
            onRequest={store.request}
          />
        )
      )}
      {closed.length > 0 && (
        <section aria-labelledby="before" className="flex flex-col gap-5">
          <h2 id="before">Before</h2>
          {closed.map((engagement) => card(engagement))}
        </section>
      )}
      <Confirm question={question} onClose={() => setQuestion(null)} onError={reportError} />
    </div>
  );
}

export default screen(CoachingScreen);
