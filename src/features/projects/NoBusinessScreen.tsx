import { hrefFor } from '#lib/routes.ts';
import { Button } from '#ui/Button.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';

/** Somebody without a business looks for projects, or wants to start one. */
export default function NoBusinessScreen({ title }: { title: string }) {
  return (
    <div className="flex flex-col gap-6">
      <h1>{title}</h1>
      <EmptyState
        title="A project belongs to a business"
        action={<Button href={hrefFor('/dashboard/businesses/new')}>Add your business</Button>}
      >
        Its name is enough. It need not be trading yet.
      </EmptyState>
    </div>
  );
}
