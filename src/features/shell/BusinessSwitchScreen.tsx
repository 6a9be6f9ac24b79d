import { useStore } from '@nanostores/react';
import type { SessionFacts } from '#data/session.ts';
import { chooseBusiness } from '#lib/business-choice.ts';
import { $session } from '#stores/session.ts';
import { Menu } from '#ui/Menu.tsx';

/** The business that is worked on, and the way to another one. */
export default function BusinessSwitchScreen({ initial }: { initial: SessionFacts }) {
  const session = useStore($session, { ssr: 'initial' });
  const { business, businesses } = session.state === 'signed-in' ? session.facts : initial;
  if (!business && initial.role !== 'owner') return null;
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
  return (
    <Menu
      align="start"
      label="Businesses"
      trigger={
        <button
          type="button"
          className="flex min-h-11 w-full items-center justify-between gap-2 rounded-control border border-line bg-surface px-3 text-left text-sm font-semibold hover:bg-raised"
        >
          <span className="min-w-0 truncate">
            <span className="sr-only">Business: </span>
            {business.name}
          </span>
          <svg
            viewBox="0 0 20 20"
            className="size-4 shrink-0 stroke-muted"
            fill="none"
            strokeWidth="1.8"
            aria-hidden="true"
          >
            <path d="m6 8 4-4 4 4M6 12l4 4 4-4" />
          </svg>
        </button>
      }
      groups={[
        businesses.map(({ id, name }) => ({
          key: id,
          label: name,
          current: id === business.id,
          onSelect: () => {
            chooseBusiness(id);
            location.reload();
          },
        })),
        [
          { key: 'all', label: 'All businesses', href: '/dashboard/businesses' },
          { key: 'new', label: 'Add a business', href: '/dashboard/businesses/new' },
        ],
      ]}
    />
  );
}
