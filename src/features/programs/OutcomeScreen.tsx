import type { ReactNode } from 'react';
import type { OwnSeat, ProgramTerms } from '#data/programs.ts';
import type { SeatKey, TakeOutcome } from '#domain/program.ts';
import { calendarDayText } from '#lib/locale/dates.ts';
import { numberText } from '#lib/locale/numbers.ts';
import { hrefFor, withNext } from '#lib/routing/href.ts';
import { purchaseHref, signInHref } from '#lib/routing/seat-href.ts';
import { Button } from '#ui/Button.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { CodeForm } from './OfferScreen.tsx';
import { refusalWords } from './outcomes.ts';

type OutcomeProps =
  | { kind: 'seat'; seat: OwnSeat }
  /** Nobody's signed in, or it's someone else's seat. */
  | { kind: 'no-seat'; isSignedIn: boolean; here: string }
  | {
      kind: 'refused';
      why: TakeOutcome;
      seatKey: SeatKey | null;
      program: ProgramTerms | null;
      isSignedIn: boolean;
    };

/** How taking a seat went, in the words that are true now. Works without JavaScript. */
function OutcomeScreen(props: OutcomeProps) {
  if (props.kind === 'seat') return <Seat seat={props.seat} />;
  if (props.kind === 'refused') return <Refused {...props} />;
  return (
    <Frame title={props.isSignedIn ? 'This isn’t your seat' : 'Sign in to see your seat'}>
      <p>
        {props.isSignedIn
          ? 'You’re signed in with another account than the one that took it.'
          : 'What’s left of it, and what comes next, is in your account.'}
      </p>
      <Buttons>
        {!props.isSignedIn && <Button href={withNext('/login', props.here)}>Sign in</Button>}
        <Button href={hrefFor('/purchase')} variant="secondary">
          Use a seat code
        </Button>
      </Buttons>
    </Frame>
  );
}

const Frame = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className="wrap py-10 md:py-14">
    <div className="flex max-w-2xl flex-col gap-5 [overflow-wrap:anywhere]">
      <h1>{title}</h1>
      {children}
    </div>
  </div>
);
const Buttons = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap gap-3">{children}</div>
);

function Seat({ seat }: { seat: OwnSeat }) {
  const left = Math.max(seat.sessions - seat.used, 0);
  if (seat.state !== 'activated') {
    return (
      <Frame title={`Your seat in ${seat.program} has ended`}>
        <p>
          Sessions that took place aren’t affected, and you keep your results, your plan and your
          messages.
        </p>
        <Buttons>
          <Button href={hrefFor('/dashboard/coaching')}>Your coaching</Button>
          <Button href={hrefFor('/pricing')} variant="secondary">
            Prices
          </Button>
        </Buttons>
      </Frame>
    );
  }
  return (
    <Frame title={`${seat.business} has a seat in ${seat.program}`}>
      <p>
        {seat.sponsor} pays for it.{' '}
        {left === 1
          ? 'One session is'
          : `${numberText(left)} sessions are`.replace(/^./, (first) => first.toUpperCase())}{' '}
        left, good through {calendarDayText(seat.ends_on)}. The next step is to choose a coach.
      </p>
      <Buttons>
        <Button href={hrefFor('/dashboard/coaching')}>Choose a coach</Button>
        <Button href={hrefFor('/dashboard/skills/quiz')} variant="secondary">
          Take the quiz first
        </Button>
      </Buttons>
      <p className="text-sm text-muted">
        What {seat.sponsor} sees, and how to stop it, is under{' '}
        <a className="link" href={hrefFor('/dashboard/programs')}>
          Programs
        </a>
        .
      </p>
    </Frame>
  );
}

function Refused({
  why,
  seatKey,
  program,
  isSignedIn,
}: Extract<OutcomeProps, { kind: 'refused' }>) {
  const { title, text } = refusalWords(why, program);
  const code = seatKey && 'code' in seatKey ? seatKey.code : null;
  const canRetry = [
    'address',
    'postal-code',
    'no-postal-code',
    'business-has-one',
    'consent-changed',
  ].includes(why);
  return (
    <Frame title={title}>
      {program && (
        <p className="text-sm text-muted">
          {program.name}, paid for by {program.sponsor}
        </p>
      )}
      <p>{text}</p>
      {why === 'full' && code && isSignedIn && (
        <form method="post" action={hrefFor('/purchase')}>
          <input type="hidden" name="code" value={code} />
          <input type="hidden" name="wait" value="1" />
          <Button type="submit">Join the waiting list</Button>
        </form>
      )}
      {why === 'full' && seatKey && !isSignedIn && (
        <Buttons>
          <Button href={signInHref(seatKey)}>Sign in to join the waiting list</Button>
        </Buttons>
      )}
      {why === 'other-address' && (
        <Buttons>
          <Button href={hrefFor('/logout')}>Use another account</Button>
        </Buttons>
      )}
      {canRetry && seatKey && (
        <Buttons>
          <Button href={purchaseHref(seatKey)}>Go back</Button>
          <Button href={hrefFor('/dashboard/businesses')} variant="secondary">
            Your businesses
          </Button>
        </Buttons>
      )}
      {!canRetry && why !== 'full' && why !== 'waiting' && <CodeForm code={code ?? ''} />}
      <p className="text-sm text-muted">
        Stuck?{' '}
        <a className="link" href={`${hrefFor('/contact')}?topic=pricing`}>
          Write to us
        </a>
        , and say which organization gave you the code.
      </p>
    </Frame>
  );
}

export default screen(OutcomeScreen);
