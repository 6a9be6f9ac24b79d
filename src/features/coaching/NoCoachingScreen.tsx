import { hrefFor } from '#lib/routing/routes.ts';
import { Button } from '#ui/Button.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';

/** What an admin finds at the address where owners and coaches meet. */
function NoCoachingScreen() {
  return (
    <div className="flex flex-col gap-8">
      <h1>Coaching</h1>
      <EmptyState
        title="Nothing for an admin here"
        action={
          <Button variant="secondary" href={hrefFor('/admin')}>
            To the overview
          </Button>
        }
      >
        Owners ask for a coach on this page, and coaches find their clients. You assign coaches, and
        have no clients and no results of your own.
      </EmptyState>
    </div>
  );
}

export default screen(NoCoachingScreen);
