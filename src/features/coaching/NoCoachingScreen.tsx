import { hrefFor } from '#lib/routing/href.ts';
import { Button } from '#ui/Button.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';

/** What admins see on the coaching page, which only serves owners and coaches. */
function NoCoachingScreen() {
  return (
    <div className="flex flex-col gap-8">
      <h1>Coaching</h1>
      <EmptyState
        title="There’s nothing here for admins"
        action={
          <Button variant="secondary" href={hrefFor('/admin')}>
            Go to the overview
          </Button>
        }
      >
        Owners ask for a coach here, and coaches find their clients.
      </EmptyState>
    </div>
  );
}

export default screen(NoCoachingScreen);
