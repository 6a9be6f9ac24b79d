import { useId, useState } from 'react';
import type { SessionFacts } from '#data/session.ts';
import { chooseBusiness } from '#lib/business-choice.ts';
import { screen } from '#ui/ScreenBoundary.tsx';
import { useFacts } from './use-facts.ts';

const row =
  'flex min-h-11 w-full items-center gap-2 rounded-control px-3 text-left text-sm no-underline hover:bg-raised';

interface SwitchProps {
  initial: Pick<SessionFacts, 'role' | 'business' | 'businesses'>;
}

/**
 * Shows the current business and a list to switch to another. The list expands in place: on a phone
 * it's in a drawer above everything else, and a popup menu would open behind that.
 */
function BusinessSwitchScreen({ initial }: SwitchProps) {
  const [open, setOpen] = useState(false);
  const listId = useId();
  const { role, business, businesses } = useFacts(initial);
  if (!business && role !== 'owner') return null;
  if (!business) {
    return (
      <a
        href="/dashboard/businesses/new"
        className="flex min-h-11 items-center rounded-control border border-dashed border-line px-3 text-sm"
      >
        Add your business
      </a>
    );
  }
  function choose(id: string) {
    chooseBusiness(id);
    location.reload();
  }
  return (
    <div className="rounded-control border border-line bg-surface">
      <button
        type="button"
        aria-expanded={open}
        aria-controls={listId}
        onClick={() => setOpen(!open)}
        className="flex min-h-11 w-full items-center justify-between gap-2 rounded-control px-3 text-left text-sm font-semibold hover:bg-raised"
      >
        <span className="min-w-0 truncate">
          <span className="sr-only">Business: </span>
          {business.name}
        </span>
        <Arrows />
      </button>
      <ul id={listId} hidden={!open} className="border-t border-line p-1">
        {businesses
          .filter(({ id }) => id !== business.id)
          .map(({ id, name }) => (
            <li key={id}>
              <button type="button" className={row} onClick={() => choose(id)}>
                <span className="min-w-0 truncate">{name}</span>
              </button>
            </li>
          ))}
        <li>
          <a className={row} href="/dashboard/businesses/new">
            Add a business
          </a>
        </li>
      </ul>
    </div>
  );
}

const Arrows = () => (
  <svg
    viewBox="0 0 20 20"
    className="size-4 shrink-0 stroke-muted"
    fill="none"
    strokeWidth="1.8"
    aria-hidden="true"
  >
    <path d="m6 8 4-4 4 4M6 12l4 4 4-4" />
  </svg>
);

/** The fallback if the list can't be rendered: a link to the page with the same businesses. */
const Broken = () => (
  <a
    href="/dashboard/businesses"
    className="flex min-h-11 items-center rounded-control border border-line bg-surface px-3 text-sm"
  >
    Your businesses
  </a>
);

export default screen(BusinessSwitchScreen, Broken);
