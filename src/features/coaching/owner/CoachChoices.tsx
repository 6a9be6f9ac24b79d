import { useEffect, useState } from 'react';
import type { CoachChoice, CoachFit } from '#data/coaching.ts';
import { type AppError, toAppError } from '#lib/errors.ts';
import { classNames } from '#ui/class-names.ts';
import { Failure } from '#ui/Failure.tsx';
import { Skeleton } from '#ui/Skeleton.tsx';
import type { CoachingStore } from '../coaching-store.ts';
import { areaNames, CoachFacts, CoachHead } from './CoachFacts.tsx';
import type { Reader } from './reader.ts';

interface CoachChoicesProps {
  store: CoachingStore;
  asked: Parameters<CoachingStore['listCoaches']>[0];
  areas: readonly { key: string; name: string }[];
  reader: Reader;
  chosen: string | null;
  onChoose: (coach: CoachChoice) => void;
}

/** Why a coach fits, as a list of short reasons. */
function reasonsOf(fit: readonly CoachFit[], props: CoachChoicesProps): string[] {
  return fit.map((each) => {
    if (each.kind === 'areas') {
      return `Knows ${areaNames(each.keys, props.areas).join(' and ').toLowerCase()}`;
    }
    if (each.kind === 'industry') return `Knows your industry: ${each.industry}`;
    if (each.kind === 'language') {
      return `Speaks ${props.reader.languages[each.language] ?? each.language}`;
    }
    return each.hours === 0
      ? 'In your time zone'
      : `${each.hours} ${each.hours === 1 ? 'hour' : 'hours'} from your time`;
  });
}

/** The coaches for what's asked; null until they're loaded, and again when that changes. */
function useCoaches(store: CoachingStore, asked: CoachChoicesProps['asked']) {
  const [found, setFound] = useState<CoachChoice[] | null>(null);
  const [failure, setFailure] = useState<AppError | null>(null);
  const [tries, setTries] = useState(0);
  const about = JSON.stringify(asked);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `about` is what's asked, as text
  useEffect(() => {
    let isOver = false;
    setFailure(null);
    store.listCoaches(asked).then(
      (coaches) => !isOver && setFound(coaches),
      (thrown: unknown) => !isOver && setFailure(toAppError(thrown)),
    );
    return () => {
      isOver = true;
    };
  }, [about, tries]);
  return { found, failure, again: () => setTries((before) => before + 1) };
}

/** Coaches who have room, the best fit first, to choose one. It loads them when it appears. */
export function CoachChoices(props: CoachChoicesProps) {
  const { store, asked, chosen } = props;
  const { found, failure, again } = useCoaches(store, asked);
  if (failure) {
    return <Failure failure={failure} title="We couldn’t load the coaches" onRetry={again} />;
  }
  if (!found) return <Skeleton className="h-40" />;
  if (found.length === 0) {
    return (
      <p role="status" className="text-sm text-muted">
        Nobody has room right now. We’ll find someone for you.
      </p>
    );
  }
  return (
    <fieldset>
      <legend className="text-sm font-semibold">Coaches who have room</legend>
      <ul className="mt-3 flex flex-col gap-3">
        {found.map((coach) => (
          <li key={coach.user_id}>
            <Choice {...props} coach={coach} isChosen={coach.user_id === chosen} />
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

interface ChoiceProps extends CoachChoicesProps {
  coach: CoachChoice;
  isChosen: boolean;
}

function Choice(props: ChoiceProps) {
  const { coach, isChosen, onChoose, areas, reader } = props;
  const reasons = reasonsOf(coach.fit, props);
  const name = coach.full_name || 'Unnamed coach';
  const id = `about-${coach.user_id}`;
  return (
    <div
      className={classNames(
        'relative rounded-control border border-line bg-surface p-4 transition-colors hover:border-edge',
        'has-checked:border-primary has-checked:bg-primary-soft has-checked:ring-1 has-checked:ring-primary',
        'has-focus-visible:outline-[2.5px] has-focus-visible:outline-offset-2 has-focus-visible:outline-focus',
      )}
    >
      {/* The label covers the card, so that a click anywhere chooses it. */}
      <label className="flex items-center gap-3.5 after:absolute after:inset-0">
        <input
          type="radio"
          name="coach"
          value={coach.user_id}
          checked={isChosen}
          onChange={() => onChoose(coach)}
          aria-label={name}
          aria-describedby={id}
          className="relative z-10 size-5 shrink-0 appearance-none rounded-full border-[1.5px] border-edge bg-surface checked:border-[6px] checked:border-primary focus-visible:outline-none forced-colors:appearance-auto"
        />
        <CoachHead coach={coach}>
          {coach.room !== null && (
            <span className="block text-xs text-muted">
              Room for {coach.room} more {coach.room === 1 ? 'owner' : 'owners'}
            </span>
          )}
        </CoachHead>
      </label>
      <div id={id} className="mt-3 flex flex-col gap-3 sm:pl-8.5">
        {reasons.length > 0 && (
          <ul className="flex flex-wrap gap-1.5" aria-label={`Why ${name} fits`}>
            {reasons.map((reason) => (
              <li
                key={reason}
                className="rounded-control border border-line bg-surface px-2.5 py-0.5 text-xs font-medium text-primary"
              >
                {reason}
              </li>
            ))}
          </ul>
        )}
        {coach.about && <p className="text-sm [overflow-wrap:anywhere]">{coach.about}</p>}
        <CoachFacts coach={coach} areas={areas} reader={reader} />
      </div>
    </div>
  );
}
