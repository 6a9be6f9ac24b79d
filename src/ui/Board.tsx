import type { ReactNode, Ref } from 'react';
import { classNames } from './class-names.ts';

interface ColumnProps {
  id: string;
  title: string;
  /** How many there are in total; 100 means 100 or more. */
  count: number;
  /** What they're called: `[' project', ' projects']`, for screen readers. */
  noun: readonly [one: string, many: string];
  /** Whether it shows none, so that it only needs room for its name. */
  isEmpty: boolean;
  /** The cards, as list items. */
  children: ReactNode;
  /** Below the cards: a way to more of them. */
  more?: ReactNode;
  ref?: Ref<HTMLElement> | undefined;
  /** While a card is dragged: it may be dropped here, it's over this column, or it may not. */
  target?: 'open' | 'over' | 'closed' | undefined;
}

/** A column of a board on a desktop, a section of a list on a phone. */
export function BoardColumn(props: ColumnProps) {
  const { id, title, count, noun, isEmpty, children, more, ref, target } = props;
  return (
    <section
      ref={ref}
      aria-labelledby={`column-${id}`}
      className={classNames(
        'rounded-card border transition-colors lg:min-h-56 lg:bg-raised/60 lg:p-2',
        // From 1280 px all columns fit side by side; an empty one only needs room for its name.
        isEmpty
          ? 'hidden lg:block lg:flex-[1_0_8.5rem] xl:basis-28'
          : 'lg:flex-[2_0_13.5rem] xl:basis-38',
        target === 'over' ? 'border-primary bg-primary-soft' : 'border-transparent',
        target === 'open' && 'lg:border-dashed lg:border-edge',
        target === 'closed' && 'opacity-55',
      )}
    >
      <h2
        id={`column-${id}`}
        className="flex items-baseline justify-between gap-2 py-1.5 font-text text-sm font-semibold lg:px-2"
      >
        {title}
        <span className="text-xs font-normal text-muted figures">
          {count >= 100 ? '100+' : count}
          <span className="sr-only">{count === 1 ? noun[0] : noun[1]}</span>
        </span>
      </h2>
      <ul className="mt-1 flex flex-col gap-2">{children}</ul>
      {more}
    </section>
  );
}

/** The columns, side by side on a desktop and stacked on a phone. */
export function BoardGrid({ children }: { children: ReactNode }) {
  return (
    <div className="relative flex flex-col gap-4 lg:-mx-2 lg:flex-row lg:gap-2 lg:overflow-x-auto lg:px-2 lg:pb-3 lg:max-xl:mask-r-from-92% lg:max-xl:pr-16">
      {children}
    </div>
  );
}
