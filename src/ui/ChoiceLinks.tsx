import type { MouseEvent } from 'react';
import { classNames } from './class-names.ts';

export interface ChoiceLink {
  name: string;
  href: string;
  isChosen: boolean;
}

interface ChoiceLinksProps {
  /** What's chosen, for screen readers: "View". */
  label: string;
  options: readonly ChoiceLink[];
  /** Shows the label, too. */
  isLabelShown?: boolean;
  /** Whether each option is a page of its own instead of a choice on one. */
  arePages?: boolean;
  /** Columns on a phone, where the options don't fit on one line. */
  columns?: 1 | 2 | 3;
  /** Called instead of opening the link, except for a new tab or window. */
  onChoose?: (href: string) => void;
  className?: string;
}

const COLUMNS = {
  1: 'max-sm:grid max-sm:w-full max-sm:grid-cols-1',
  2: 'max-sm:grid max-sm:w-full max-sm:grid-cols-2',
  3: 'max-sm:grid max-sm:w-full max-sm:grid-cols-3',
} as const;

/** Options next to each other, each a link, so that it has an address. */
export function ChoiceLinks(props: ChoiceLinksProps) {
  const { label, options, isLabelShown, arePages, columns, onChoose, className } = props;
  function open(event: MouseEvent, href: string) {
    if (!onChoose || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    onChoose(href);
  }
  return (
    <nav
      aria-label={label}
      className={classNames(
        isLabelShown && 'flex flex-wrap items-center gap-x-3 gap-y-1',
        className,
      )}
    >
      {isLabelShown && (
        <span aria-hidden="true" className="text-sm font-semibold">
          {label}
        </span>
      )}
      <ul
        className={classNames(
          'inline-flex flex-wrap rounded-control border border-line p-0.5',
          columns && COLUMNS[columns],
        )}
      >
        {options.map(({ name, href, isChosen }) => (
          <li key={href}>
            <a
              href={href}
              aria-current={isChosen ? (arePages ? 'page' : 'true') : undefined}
              onClick={onChoose && ((event) => open(event, href))}
              className={classNames(
                'inline-flex min-h-10 items-center rounded-[0.55rem] pointer-coarse:min-h-11 px-3 text-sm sm:px-4 text-muted hover:text-ink aria-[current]:bg-primary-soft aria-[current]:font-semibold aria-[current]:text-ink',
                columns && 'max-sm:w-full',
              )}
            >
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
