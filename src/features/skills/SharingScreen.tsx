import { useStore } from '@nanostores/react';
import { useState } from 'react';
import { setResultsShared } from '#data/coaching.ts';
import type { Coaching } from '#data/skills.ts';
import { db } from '#lib/db.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { createOptimistic } from '#stores/optimistic.ts';
import { Button } from '#ui/Button.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { Checkbox } from '#ui/forms/Checkbox.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { Section } from '#ui/Section.tsx';
import { enabledWhenReady } from '#ui/until-ready.ts';

interface SharingProps {
  /** Null without a coach and without a request for one. */
  coaching: Coaching | null;
  hasResults: boolean;
}

/** Who reads the results, and a way to share them with the coach or stop. */
function SharingScreen({ coaching, hasResults }: SharingProps) {
  if (coaching) return <Share coaching={coaching} hasResults={hasResults} />;
  return (
    <EmptyState
      title="Only you see your results"
      action={<Button href={hrefFor('/dashboard/coaching')}>Ask for a coach</Button>}
    >
      When you ask for a coach, you decide whether they can read them. You can change that here at
      any time.
    </EmptyState>
  );
}

/** Turns sharing results with the coach on or off, and says what the coach can read. */
function Share({ coaching, hasResults }: SharingProps & { coaching: Coaching }) {
  const [{ $shown, put }] = useState(() =>
    createOptimistic<boolean, boolean>(coaching.results_shared, {
      apply: (_, shared) => shared,
      send: async (shared) => setResultsShared(await db(), coaching.id, shared),
      failure: 'Sharing wasn’t changed',
    }),
  );
  const shared = useStore($shown);
  const coach = coaching.coach_name;
  return (
    <Section
      id="sharing"
      title={`Share with ${coach ?? 'your coach'}`}
      titleClass=""
      className="card p-5 md:p-8"
    >
      <Checkbox
        className="mt-4"
        label={`Let ${coach ?? 'my coach'} read my results`}
        hint={
          shared
            ? 'Shared. Uncheck the box and your coach loses access right away.'
            : 'Not shared. Nobody ever sees a quiz you haven’t finished.'
        }
        checked={shared}
        {...enabledWhenReady()}
        onChange={(event) => void put(event.currentTarget.checked)}
      />
      <p className="mt-5 max-w-[60ch] text-sm text-muted">
        {coach
          ? `While it’s checked, ${coach} can read:`
          : 'You don’t have a coach yet. While it’s checked, the one you get can read:'}
      </p>
      <ul className="mt-2 ml-5 max-w-[60ch] list-disc text-sm">
        <li>your finished quizzes, with every answer and how confident you were</li>
        <li>what changed from one quiz to the next</li>
        <li>the areas you’re working on, and their actions</li>
      </ul>
      {!hasResults && <p className="mt-4 text-sm text-muted">You don’t have any results yet.</p>}
      <p className="mt-4 text-sm">
        <a className="link" href={hrefFor('/dashboard/coaching')}>
          Your coaching
        </a>
      </p>
    </Section>
  );
}

export default screen(SharingScreen);
