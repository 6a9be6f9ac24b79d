import type { ToolList } from '#data/toolbox.ts';
import { LEVEL_LABELS, LEVELS } from '#domain/level.ts';
import { isNarrowed, TOOL_KINDS, type ToolFilter } from '#domain/tool.ts';
import { hrefFor } from '#lib/routes.ts';
import { Button } from '#ui/Button.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { Select } from '#ui/forms/Select.tsx';

const KIND_OPTIONS = TOOL_KINDS.filter((kind) => kind !== 'video' && kind !== 'link').map(
  (kind) => ({
    value: kind,
    label: `${kind.charAt(0).toUpperCase()}${kind.slice(1)}s`,
  }),
);
const LEVEL_OPTIONS = LEVELS.map((level) => ({ value: level, label: LEVEL_LABELS[level] }));
const MARK_OPTIONS = [
  { value: 'open', label: 'Not done yet' },
  { value: 'saved', label: 'Saved' },
  { value: 'done', label: 'Done' },
];

/** A form that asks for an address: it needs no scripts, and a choice is shown at once with them. */
export function ToolFilters({ list, filter }: { list: ToolList; filter: ToolFilter }) {
  const areas = list.areas.map(({ key, name }) => ({ value: key, label: name }));
  // The arrows of a keyboard choose one after another: asking at the first would end the choosing.
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
        <Choice name="area" label="Skill" options={areas} value={filter.area} onChange={select} />
        <Choice
          name="type"
          label="Kind"
          options={KIND_OPTIONS}
          value={filter.type}
          onChange={select}
        />
        <Choice
          name="level"
          label="Level"
          options={LEVEL_OPTIONS}
          value={filter.level}
          onChange={select}
        />
        <Choice
          name="mark"
          label="Yours"
          options={MARK_OPTIONS}
          value={filter.mark}
          onChange={select}
        />
      </form>
      {isNarrowed(filter) && (
        <p className="mt-3 text-sm">
          <a className="link" href={hrefFor('/dashboard/toolbox')}>
            Take all filters away
          </a>
        </p>
      )}
    </search>
  );
}

interface ChoiceProps {
  name: string;
  label: string;
  options: readonly { value: string; label: string }[];
  value: string | null;
  onChange: (event: { currentTarget: HTMLSelectElement }) => void;
}

function Choice({ name, label, options, value, onChange }: ChoiceProps) {
  return (
    <Field
      as={Select}
      label={label}
      name={name}
      options={options}
      placeholder="Any"
      defaultValue={value ?? ''}
      onChange={onChange}
    />
  );
}
