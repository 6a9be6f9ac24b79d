import { useStore } from '@nanostores/react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { isOpenEngagement } from '#domain/engagement.ts';
import { withdrawText } from '#domain/engagement-text.ts';
import { db } from '#lib/db.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { reportError } from '#stores/session.ts';
import { $unread } from '#stores/unread.ts';
import { Confirm, type Question } from '#ui/Confirm.tsx';
import { Notice } from '#ui/Notice.tsx';
import { useFocusBack } from '#ui/use-focus-back.ts';
import { usePart } from '#ui/use-part.ts';
import { CalendarFeed } from '../CalendarFeed.tsx';
import {
  type Coaching,
  type CoachingStore,
  createCoachingStore,
  type Engagement,
} from '../coaching-store.ts';
import { currentOf } from './current.ts';
import { Earlier } from './Earlier.tsx';
import { EngagementView } from './EngagementView.tsx';
import type { RequestForm } from './RequestForm.tsx';
import type { Reader } from './reader.ts';

export interface CoachingProps {
  coaching: Coaching;
  /** The owner's businesses, the current one first. */
  businesses: { id: string; name: string }[];
  /** Areas checked at first: the one in the recommendation the user followed here. */
  chosenAreas: string[];
  reader: Reader;
  /** Whether owners can ask for a coach right now. */
  takesRequests: boolean;
  /** The work so far, which is rendered on the server. */
  story?: ReactNode;
}

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

/** Reads everything again when a notification arrives, which may be about coaching. */
function useNews(store: CoachingStore) {
  useEffect(() => {
    let before = $unread.get()?.notifications;
    return $unread.listen((unread) => {
      const isNew = before !== undefined && unread !== null && unread.notifications > before;
      before = unread?.notifications;
      if (isNew) void store.refresh();
    });
  }, [store]);
}

interface OwnCoachingProps extends CoachingProps {
  /** The form to request coaching; null to load it once there's something to request. */
  Form: typeof RequestForm | null;
}

/** An owner's coaching: where it is, what's next, and a form to request it. */
export function OwnCoaching(props: OwnCoachingProps) {
  const { businesses, chosenAreas, reader } = props;
  const [store] = useState(() => createCoachingStore(db, props.coaching));
  useNews(store);
  const { engagements, areas, topics } = useStore(store.$coaching);
  const withdrawal = useWithdrawal(store, engagements);
  // The user just made a request, so focus moves to it next.
  const hasRequested = engagements.length > props.coaching.engagements.length;
  const open = engagements.filter(isOpenEngagement);
  const current = currentOf(engagements);
  const nameOf = ({ business_id }: Engagement) =>
    businesses.find(({ id }) => id === business_id)?.name ?? null;
  return (
    <div className="flex flex-col gap-8">
      <Header />
      {current.map((engagement, index) => (
        <EngagementView
          key={engagement.id}
          store={store}
          engagement={engagement}
          business={nameOf(engagement)}
          areas={areas}
          reader={reader}
          focus={hasRequested && index === 0}
          onWithdraw={() => withdrawal.ask(engagement, nameOf(engagement))}
        />
      ))}
      {current.length > 0 && props.story}
      <Request
        Form={props.Form}
        store={store}
        businesses={businesses}
        open={open}
        areas={areas}
        topics={topics}
        chosenAreas={hasRequested ? [] : chosenAreas}
        reader={reader}
        takesRequests={props.takesRequests}
      />
      {engagements.length > 0 && (
        <CalendarFeed since={props.coaching.calendar_since} timeZone={reader.timeZone} />
      )}
      <Earlier
        engagements={engagements.filter((each) => !current.includes(each))}
        nameOf={nameOf}
        areas={areas}
        reader={reader}
      />
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
  extends Pick<
    OwnCoachingProps,
    'Form' | 'businesses' | 'chosenAreas' | 'takesRequests' | 'reader'
  > {
  store: CoachingStore;
  open: Engagement[];
  areas: Coaching['areas'];
  topics: Coaching['topics'];
}

const loadForm = () => import('./RequestForm.tsx');

/** The form for businesses without open coaching; without any business, the page has a form for one. */
function Request({ Form, businesses, open, takesRequests, ...form }: RequestProps) {
  const without = businesses.filter(({ id }) => !open.some((each) => each.business_id === id));
  const part = usePart(loadForm, Form === null && without.length > 0);
  if (without.length === 0) return null;
  if (!takesRequests) {
    return (
      <Notice title="Coaching requests are paused">
        We can’t take new requests right now. Coaching that’s under way continues.
      </Notice>
    );
  }
  const Shown = Form ?? part?.RequestForm;
  if (!Shown) return null;
  return (
    <Shown
      // After a request, the form for the next one starts empty.
      key={without.map(({ id }) => id).join()}
      {...form}
      businesses={without}
      another={open.length > 0}
    />
  );
}
