import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from '../Button.tsx';
import { classNames } from '../class-names.ts';
import { Field } from '../forms/Field.tsx';
import { FoldedFilters } from '../forms/FoldedFilters.tsx';
import { Select } from '../forms/Select.tsx';

/** A filter with a few values. */
export interface FilterChoice extends Pick<ComponentProps<typeof Select>, 'options'> {
  label: string;
  /** The query parameter. */
  name: string;
  /** '' if nothing was chosen. */
  value: string;
  /** The option for "nothing chosen"; without it, there's always a choice. */
  placeholder?: string;
  className?: string;
  onChoose: (value: string) => void;
}

/** A date that a filter begins or ends with. */
export interface FilterDay {
  label: string;
  /** The query parameter. */
  name: string;
  /** `2026-11-28`, or '' if nothing was chosen. */
  value: string;
  onChoose: (value: string) => void;
}

export interface ListFiltersProps {
  /** The list's name: "Projects". */
  label: string;
  words: string;
  /** The query parameter of the words; `q` unless the screen has another list. */
  name?: string;
  /** What the words can be: "Name, email or business". */
  hint?: string;
  onSearch: (words: string) => void;
  choices: readonly FilterChoice[];
  days?: readonly FilterDay[];
  /** Hidden fields, for the form without JavaScript. */
  children?: ReactNode;
}

/** Milliseconds to wait after the last keystroke before searching. */
const QUIET = 300;

/** The words as they're typed, and the search for them a moment later or at once. */
function useTyped(words: string, onSearch: (words: string) => void) {
  const [typed, setTyped] = useState(words);
  const search = useRef(onSearch);
  search.current = onSearch;
  const searched = useRef(words);
  // A saved view or "Show all" changes the words, too; what was typed before mustn't come back.
  useEffect(() => {
    if (words === searched.current) return;
    searched.current = words;
    setTyped(words);
  }, [words]);
  useEffect(() => {
    if (typed === searched.current) return;
    const timer = setTimeout(() => {
      searched.current = typed;
      search.current(typed);
    }, QUIET);
    return () => clearTimeout(timer);
  }, [typed]);
  return {
    typed,
    setTyped,
    submit() {
      searched.current = typed;
      onSearch(typed);
    },
  };
}

/**
 * Filters and sorts a list, as you type. Without JavaScript it works as a plain form. On a phone, a
 * button shows everything but the search, so that the list itself is in view.
 */
export function ListFilters(props: ListFiltersProps) {
  const { label, words, name = 'q', hint, onSearch, choices, days = [], children } = props;
  const { typed, setTyped, submit } = useTyped(words, onSearch);
  const others = choices.length + days.length;
  const active =
    choices.filter(({ placeholder, value }) => placeholder !== undefined && value !== '').length +
    days.filter(({ value }) => value !== '').length;
  return (
    <search aria-label={label}>
      <form
        className="flex flex-wrap items-end gap-x-3 gap-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Field
          label={hint ? `Search by ${hint}` : 'Search'}
          type="search"
          name={name}
          maxLength={100}
          autoComplete="off"
          className={classNames(
            'min-w-0 grow basis-40',
            others === 1 && 'sm:basis-56',
            others > 1 && 'sm:basis-full lg:basis-56',
            // On a phone the label is as wide as the screen: beside it, there's nothing above "Filters".
            others > 0 && 'max-sm:[&_label]:w-[calc(100vw-2rem)] max-sm:[&_label]:shrink-0',
          )}
          value={typed}
          onChange={({ target }: { target: HTMLInputElement }) => setTyped(target.value)}
        />
        {others > 0 && (
          <FoldedFilters active={active}>
            <Rest choices={choices} days={days} grow={others === 1 ? 'sm:grow-0' : 'lg:grow-0'} />
          </FoldedFilters>
        )}
        {children}
        <noscript>
          <Button type="submit" variant="secondary">
            Show
          </Button>
        </noscript>
      </form>
    </search>
  );
}

/** Everything but the search. */
const Rest = ({
  choices,
  days,
  grow,
}: Required<Pick<ListFiltersProps, 'choices' | 'days'>> & { grow: string }) => (
  <>
    {choices.map(({ onChoose, className = 'basis-36', ...choice }) => (
      <Field
        key={choice.name}
        {...choice}
        as={Select}
        className={`grow ${className} ${grow}`}
        onChange={({ target }: { target: HTMLSelectElement }) => onChoose(target.value)}
      />
    ))}
    {days.map(({ onChoose, ...day }) => (
      <Field
        key={day.name}
        {...day}
        type="date"
        className={`grow basis-36 ${grow}`}
        // While a date is being typed it's empty, and then invalid in between.
        onChange={({ target }: { target: HTMLInputElement }) =>
          target.validity.valid && onChoose(target.value)
        }
      />
    ))}
  </>
);
