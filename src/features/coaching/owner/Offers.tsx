import { useId, useState } from 'react';
import type { SessionOffer } from '#data/coaching-sessions.ts';
import { coachName } from '#domain/engagement-text.ts';
import { SESSION_KIND_LABELS } from '#domain/session.ts';
import { weekdayText } from '#lib/locale/dates.ts';
import { reportError } from '#stores/session.ts';
import { Button } from '#ui/Button.tsx';
import { Failure } from '#ui/Failure.tsx';
import { RadioCard } from '#ui/forms/RadioCard.tsx';
import { ReadyFieldset } from '#ui/forms/ReadyFieldset.tsx';
import { useAction } from '#ui/use-action.ts';
import type { CoachingStore, Engagement } from '../coaching-store.ts';
import type { Reader } from './reader.ts';
import { elsewhereWords, spanWords } from './times.ts';

interface OfferProps {
  store: CoachingStore;
  engagement: Engagement;
  offer: SessionOffer;
  reader: Reader;
  /** Opens the dialog that says why none works. */
  onDecline: () => void;
}

/** The times that the coach offers for a session, to pick one. */
export function Offer({ store, engagement, offer, reader, onDecline }: OfferProps) {
  const [time, setTime] = useState<string | null>(null);
  const { pending, failure, run } = useAction(reportError);
  const id = useId();
  const name = coachName(engagement);
  return (
    <section aria-labelledby={id} className="card border-primary p-5 md:p-6">
      <h3 id={id}>Pick a time</h3>
      <p className="mt-1 text-sm text-muted">
        {name.charAt(0).toUpperCase() + name.slice(1)} offers these for {offer.minutes} minutes,{' '}
        {SESSION_KIND_LABELS[offer.kind].toLowerCase()}
        {offer.place && <span className="[overflow-wrap:anywhere]">: {offer.place}</span>}
      </p>
      <ReadyFieldset className="mt-4 grid gap-2 md:grid-cols-[repeat(auto-fit,minmax(14rem,1fr))]">
        <legend className="sr-only">Times</legend>
        {offer.times.map((at) => (
          <Time
            key={at}
            name={id}
            at={at}
            offer={offer}
            reader={reader}
            isChosen={time === at}
            onChoose={() => setTime(at)}
          />
        ))}
      </ReadyFieldset>
      <Failure className="mt-4" failure={failure} title="The session isn’t booked" />
      <div className="mt-4 flex flex-wrap gap-2">
        <Button
          needsScript
          disabled={time === null}
          pending={pending}
          onClick={() => time && void run(() => store.pickTime(offer.id, time))}
        >
          Pick this time
        </Button>
        <Button variant="secondary" needsScript onClick={onDecline}>
          None of these works
        </Button>
      </div>
    </section>
  );
}

interface TimeProps extends Pick<OfferProps, 'offer' | 'reader'> {
  name: string;
  at: string;
  isChosen: boolean;
  onChoose: () => void;
}

function Time({ name, at, offer, reader, isChosen, onChoose }: TimeProps) {
  const isOver = Date.parse(at) <= Date.parse(reader.now);
  const theirs = elsewhereWords(at, reader.timeZone, offer.time_zone, reader.now);
  return (
    <RadioCard name={name} value={at} checked={isChosen} disabled={isOver} onChange={onChoose}>
      <span className="flex flex-wrap items-baseline gap-x-3 md:flex-col">
        <span className="font-semibold">
          {weekdayText(at, reader.timeZone, new Date(reader.now))}
        </span>
        <span className="figures">
          {spanWords({ starts_at: at, minutes: offer.minutes }, reader.timeZone)}
        </span>
        {theirs && <span className="text-xs text-muted">{theirs}</span>}
        {isOver && <span className="text-xs text-muted">This time is over</span>}
      </span>
    </RadioCard>
  );
}
