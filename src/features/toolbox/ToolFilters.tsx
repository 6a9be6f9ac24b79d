import type { ToolList } from '#data/toolbox.ts';
import { LEVEL_LABELS, LEVELS } from '#domain/level.ts';
import { isNarrowed, TOOL_KINDS, type ToolFilter, toolFilter } from '#domain/tool.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { Button } from '#ui/Button.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { FoldedFilters } from '#ui/forms/FoldedFilters.tsx';
import { Select } from '#ui/forms/Select.tsx';

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const kinds = TOOL_KINDS.filter((kind) => kind !== 'video' && kind !== 'link');

/** The filters next to the search field, named as in the query string. */
const choicesOf = ({ areas }: ToolList) =>
  [
    { name: 'area', label: 'Skill', options: areas.map(({ key, name }) => [key, name]) },
    { name: 'type', label: 'Type', options: kinds.map((kind) => [kind, `${capital(kind)}s`]) },
    { name: 'level', label: 'Level', options: LEVELS.map((level) => [level, LEVEL_LABELS[level]]) },
    {
      name: 'mark',
      label: 'Status',
      options: [
        ['open', 'Not done yet'],
        ['saved', 'Saved'],
        ['done', 'Done'],
      ],
    },
  ] as const;

/** Scrolls a strip so that the chosen one is in it. */
const show = (chosen: HTMLElement | null) =>
  chosen?.scrollIntoView({ block: 'nearest', inline: 'center' });

/** On a phone, the skills are a line of links, so that choosing one takes one tap. */
export function SkillStrip({ list, filter }: { list: ToolList; filter: ToolFilter }) {
  const skills = [{ key: null, short_name: 'All' }, ...list.areas];
  return (
    <nav aria-label="Skills" className="sm:hidden">
      <ul className="strip gap-2">
        {skills.map(({ key, short_name }) => (
          <li key={key}>
            <a
              ref={key !== null && key === filter.area ? show : undefined}
              href={
                hrefFor('/dashboard/toolbox') + toolFilter.write({ ...filter, area: key, page: 1 })
              }
              aria-current={key === filter.area ? 'true' : undefined}
              className="inline-flex min-h-11 items-center rounded-control border border-line px-3 text-sm text-muted aria-[current]:border-primary aria-[current]:bg-primary-soft aria-[current]:font-semibold aria-[current]:text-ink"
            >
              {short_name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** A GET form that works without JavaScript; with it, choosing an option submits right away. */
export function ToolFilters({ list, filter }: { list: ToolList; filter: ToolFilter }) {
  const choices = choicesOf(list);
  // Arrow keys step through the options, and submitting at the first would interrupt that.
  const select = ({ currentTarget }: { currentTarget: HTMLSelectElement }) => {
    if (!currentTarget.matches(':focus-visible')) currentTarget.form?.requestSubmit();
  };
  return (
    <search>
      <form
        action={hrefFor('/dashboard/toolbox')}
        className="grid grid-cols-2 items-end gap-x-4 gap-y-3 xl:grid-cols-[2fr_repeat(4,1fr)]"
      >
        <div className="flex items-end gap-2 max-xl:col-span-2">
          <Field
            label="Search"
            type="search"
            name="q"
            maxLength={100}
            defaultValue={filter.query}
            className="grow"
          />
          <Button type="submit" variant="secondary">
            Search
          </Button>
        </div>
        <FoldedFilters
          // On a phone, the skill is chosen above.
          active={choices.filter(({ name }) => name !== 'area' && filter[name]).length}
          className="justify-self-start"
        >
          {choices.map(({ name, label, options }) => (
            <Field
              key={name}
              as={Select}
              className={name === 'area' ? 'max-sm:[@media(scripting:enabled)]:hidden' : undefined}
              label={label}
              name={name}
              options={options.map(([value = '', text = '']) => ({ value, label: text }))}
              placeholder="Any"
              defaultValue={filter[name] ?? ''}
              onChange={select}
            />
          ))}
        </FoldedFilters>
      </form>
      {isNarrowed(filter) && (
        <p className="mt-3 text-sm">
          <a className="link" href={hrefFor('/dashboard/toolbox')}>
            Clear all filters
          </a>
        </p>
      )}
    </search>
  );
}
