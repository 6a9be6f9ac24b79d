import { useId, useState } from 'react';
import type { CoachChoice } from '#data/coaching.ts';
import { reportError } from '#stores/session.ts';
import { Button } from '#ui/Button.tsx';
import { Failure } from '#ui/Failure.tsx';
import { useAction } from '#ui/use-action.ts';
import { useOpenedPart } from '#ui/use-part.ts';
import type { CoachingStore, Engagement } from '../coaching-store.ts';
import { loadChoices } from './choices.ts';
import type { Reader } from './reader.ts';

interface ChooseProps {
  store: CoachingStore;
  engagement: Engagement;
  areas: readonly { key: string; name: string }[];
  reader: Reader;
}

/** Choosing a coach for a request that nobody has yet, instead of waiting for us to find one. */
export function ChooseCoach({ store, engagement, areas, reader }: ChooseProps) {
  const [isOpen, setOpen] = useState(false);
  const part = useOpenedPart(loadChoices, isOpen, () => setOpen(false));
  const [coach, setCoach] = useState<CoachChoice | null>(null);
  const { run, pending, failure } = useAction(reportError);
  const id = useId();
  return (
    <section aria-labelledby={id} className="card p-5 md:p-6">
      <h3 id={id}>Choose a coach yourself</h3>
      <p className="mt-1 max-w-[60ch] text-sm text-muted">
        You don’t have to wait for us. See who has room and why they’d fit, and ask the one you
        like.
      </p>
      {isOpen && part ? (
        <div className="mt-5 flex flex-col gap-4">
          <part.CoachChoices
            store={store}
            asked={{ engagementId: engagement.id }}
            areas={areas}
            reader={reader}
            chosen={coach?.user_id ?? null}
            onChoose={setCoach}
          />
          <Failure failure={failure} title="Not asked" />
          {coach && (
            <Button
              className="self-start"
              pending={pending}
              onClick={() => void run(() => store.choose(engagement.id, coach.user_id))}
            >
              Ask {coach.full_name || 'this coach'}
            </Button>
          )}
        </div>
      ) : (
        <Button
          className="mt-4"
          variant="secondary"
          needsScript
          pending={isOpen}
          onClick={() => setOpen(true)}
        >
          See who has room
        </Button>
      )}
    </section>
  );
}
