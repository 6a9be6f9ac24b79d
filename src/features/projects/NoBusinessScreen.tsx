import { addBusinessHref } from '#lib/routing/href.ts';
import { Button } from '#ui/Button.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';

/**
 * Replaces the projects screens for users who don't have a business yet.
 * @param props.here the path and query of this page, to return to with the user's choices intact
 */
function NoBusinessScreen({ title, here }: { title: string; here: string }) {
  return (
    <div className="flex flex-col gap-6">
      <h1>{title}</h1>
      <EmptyState
        title="A project belongs to a business"
        action={<Button href={addBusinessHref(here)}>Add your business</Button>}
      >
        All we need is the business’s name. It doesn’t have to be open yet.
      </EmptyState>
    </div>
  );
}

export default screen(NoBusinessScreen);
