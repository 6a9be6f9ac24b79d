import type { Area } from '#data/projects.ts';
import { PROJECT_STATUSES, STATUS_LABELS } from '#domain/project.ts';
import { PROJECT_SORTS, type ProjectFilter, SORT_LABELS } from '#domain/project-list.ts';
import { type FilterChoice, ListFilters } from '#ui/table/ListFilters.tsx';

interface FiltersProps {
  filter: ProjectFilter;
  areas: Area[];
  onChoose: (change: Partial<ProjectFilter>) => void;
}

const statuses = [
  { value: 'open', label: 'Open' },
  { value: 'all', label: 'All' },
  ...PROJECT_STATUSES.map((status) => ({ value: status as string, label: STATUS_LABELS[status] })),
];
const sorts = PROJECT_SORTS.map((sort) => ({ value: sort, label: SORT_LABELS[sort] }));

/** Filters and sorts the list of projects. */
export function ProjectFilters({ filter, areas, onChoose }: FiltersProps) {
  const status: FilterChoice = {
    label: 'Status',
    name: 'status',
    options: statuses,
    value: filter.status,
    onChoose: (value) => onChoose({ status: value as ProjectFilter['status'] }),
  };
  return (
    <ListFilters
      label="Projects"
      words={filter.words}
      onSearch={(words) => onChoose({ words })}
      choices={[
        // The board has a column for each status.
        ...(filter.view === 'table' ? [status] : []),
        {
          label: 'Skill',
          name: 'area',
          className: 'basis-36 sm:basis-48',
          placeholder: 'Any',
          options: areas.map(({ key, name }) => ({ value: key, label: name })),
          value: filter.area ?? '',
          onChoose: (area) => onChoose({ area: area || null }),
        },
        {
          label: 'Sort by',
          name: 'sort',
          className: 'basis-44',
          options: sorts,
          value: filter.sort,
          onChoose: (sort) => onChoose({ sort: sort as ProjectFilter['sort'] }),
        },
      ]}
    >
      {filter.view === 'board' && <input type="hidden" name="view" value="board" />}
    </ListFilters>
  );
}
