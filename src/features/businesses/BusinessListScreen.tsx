import { Building2 } from 'lucide-react';
import type { BusinessRow } from '#data/businesses.ts';
import { chooseBusiness } from '#lib/business-choice.ts';
import { Button } from '#ui/Button.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { useReady } from '#ui/use-schema-form.ts';

export interface BusinessListInitial {
  businesses: BusinessRow[];
  currentId: string | null;
}

const TRADING: Record<string, string> = { trading: 'Trading', 'not-yet': 'Not trading yet' };

/** The businesses of a person, and which of them is worked on. */
export default function BusinessListScreen({ initial }: { initial: BusinessListInitial }) {
  return (
    <>
      <div className="mb-7 flex flex-wrap items-center justify-between gap-4">
        <h1 className="text-2xl">Businesses</h1>
        {initial.businesses.length > 0 && (
          <Button variant="secondary" href="/dashboard/businesses/new">
            Add a business
          </Button>
        )}
      </div>
      <BusinessList initial={initial} />
    </>
  );
}

function BusinessList({ initial }: { initial: BusinessListInitial }) {
  const ready = useReady();
  const { businesses, currentId } = initial;
  if (businesses.length === 0) {
    return (
      <EmptyState
        title="No business yet"
        action={<Button href="/dashboard/businesses/new">Add your business</Button>}
      >
        Its name is enough to begin. Your quiz results and your plan will stand with it.
      </EmptyState>
    );
  }
  return (
    <ul className="grid gap-4 md:grid-cols-2">
      {businesses.map(({ id, name, trading, postal_code }) => (
        <li key={id} className="card flex items-start gap-4 p-5">
          <Building2 className="mt-1 size-5 shrink-0 text-primary" aria-hidden="true" />
          <div className="min-w-0 grow">
            <h2 className="text-lg [overflow-wrap:anywhere]">{name}</h2>
            <p className="text-sm text-muted">
              {[trading && TRADING[trading], postal_code].filter(Boolean).join(' · ') ||
                'Nothing more is known yet'}
            </p>
          </div>
          {id === currentId ? (
            <span className="shrink-0 rounded-control bg-primary-soft px-3 py-1 text-xs font-semibold">
              Current
            </span>
          ) : (
            <Button
              size="small"
              variant="secondary"
              disabled={!ready}
              onClick={() => {
                chooseBusiness(id);
                location.assign('/dashboard');
              }}
            >
              Work on this<span className="sr-only">: {name}</span>
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
