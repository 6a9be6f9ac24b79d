import { type ComponentProps, useEffect, useRef, useState } from 'react';
import type { Area } from '#data/projects.ts';
import { PROJECT_STATUSES, STATUS_LABELS } from '#domain/project.ts';
import { PROJECT_SORTS, type ProjectFilter, SORT_LABELS } from '#domain/project-list.ts';
import { Button } from '#ui/Button.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { Select } from '#ui/forms/Select.tsx';

interface FiltersProps {
  filter: ProjectFilter;
  areas: Area[];
  onChoose: (change: Partial<ProjectFilter>) => void;
}

/** Milliseconds to wait after the last keystroke before searching. */
const QUIET = 300;

const statuses = [
  { value: 'open', label: 'Open' },
  { value: 'all', label: 'All' },
  ...PROJECT_STATUSES.map((status) => ({ value: status as string, label: STATUS_LABELS[status] })),
];
const sorts = PROJECT_SORTS.map((sort) => ({ value: sort, label: SORT_LABELS[sort] }));

interface ChoiceProps extends Pick<ComponentProps<typeof Select>, 'options' | 'placeholder'> {
  label: string;
  name: string;
  value: string;
  className: string;
  onChoose: (value: string) => void;
}

const Choice = ({ onChoose, className, ...rest }: ChoiceProps) => (
  <Field
    {...rest}
    as={Select}
    className={`grow ${className} lg:grow-0`}
    onChange={({ target }: { target: HTMLSelectElement }) => onChoose(target.value)}
  />
);

/** Filters and sorts the list, as you type. Without JavaScript it works as a plain form. */
export function ProjectFilters({ filter, areas, onChoose }: FiltersProps) {
  const [words, setWords] = useState(filter.words);
  const choose = useRef(onChoose);
  choose.current = onChoose;
  useEffect(() => {
    if (words === filter.words) return;
    const timer = setTimeout(() => choose.current({ words }), QUIET);
    return () => clearTimeout(timer);
  }, [words, filter.words]);
  return (
    <search aria-label="Projects">
      <form
        className="flex flex-wrap items-end gap-x-3 gap-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          onChoose({ words });
        }}
      >
        <Field
          label="Search"
          type="search"
          name="q"
          maxLength={100}
          autoComplete="off"
          className="min-w-0 basis-full lg:basis-56 lg:grow"
          value={words}
          onChange={({ target }: { target: HTMLInputElement }) => setWords(target.value)}
        />
        <Choices filter={filter} areas={areas} onChoose={onChoose} />
        {filter.view === 'board' && <input type="hidden" name="view" value="board" />}
        <noscript>
          <Button type="submit" variant="secondary">
            Show
          </Button>
        </noscript>
      </form>
    </search>
  );
}

const Choices = ({ filter, areas, onChoose }: FiltersProps) => (
  <>
    {filter.view === 'table' && (
      <Choice
        label="Status"
        name="status"
        className="basis-36"
        options={statuses}
        value={filter.status}
        onChoose={(status) => onChoose({ status: status as ProjectFilter['status'] })}
      />
    )}
    <Choice
      label="Skill"
      name="area"
      className="basis-36 sm:basis-48"
      placeholder="Any"
      options={areas.map(({ key, name }) => ({ value: key, label: name }))}
      value={filter.area ?? ''}
      onChoose={(area) => onChoose({ area: area || null })}
    />
    <Choice
      label="Sort by"
      name="sort"
      className="basis-44"
      options={sorts}
      value={filter.sort}
      onChoose={(sort) => onChoose({ sort: sort as ProjectFilter['sort'] })}
    />
  </>
);
