import { addBusinessHref } from '#lib/routing/next-path.ts';
import { Button } from '#ui/Button.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';

/**
 * Someone without a business looks for projects, or wants to start one.
 * @param props.here the path of this page with its query, so what was chosen isn't lost
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
