import { type ComponentProps, useId } from 'react';
import { classNames } from '../class-names.ts';

interface ChipsProps<Value extends string>
  extends Pick<ComponentProps<'fieldset'>, 'className' | 'disabled'> {
  legend: string;
  /** Hides the legend, if a heading next to it says the same. */
  isLegendHidden?: boolean;
  hint?: string;
  error?: string | undefined;
  options: readonly (readonly [value: Value, label: string])[];
  /** One choice, or any number of them. */
  chosen: Value | readonly Value[];
  onChoose: (value: Value) => void;
}

const LOOK = classNames(
  'relative inline-flex min-h-11 items-center rounded-full border border-edge bg-surface px-3.5 text-sm sm:px-4 transition-colors',
  'hover:border-muted has-checked:border-primary has-checked:bg-primary-soft has-checked:font-semibold has-checked:ring-1 has-checked:ring-primary forced-colors:has-checked:outline-3',
  'has-focus-visible:outline-[2.5px] has-focus-visible:outline-offset-2 has-focus-visible:outline-focus has-disabled:opacity-55',
);

/** A few short choices, each a tap: radio buttons, or checkboxes if `chosen` is a list. */
export function Chips<Value extends string>(props: ChipsProps<Value>) {
  const { legend, isLegendHidden, hint, error, options, chosen, onChoose, ...rest } = props;
  const id = useId();
  const many = typeof chosen !== 'string';
  return (
    <fieldset
      {...rest}
      aria-describedby={classNames(hint && `${id}-hint`, error ? `${id}-error` : '') || undefined}
    >
      <legend className={isLegendHidden ? 'sr-only' : 'text-sm font-semibold'}>{legend}</legend>
      {hint && (
        <p id={`${id}-hint`} className="text-xs text-muted">
          {hint}
        </p>
      )}
      <div className="mt-2 flex flex-wrap gap-2">
        {options.map(([value, label]) => (
          <label key={value} className={LOOK}>
            <input
              type={many ? 'checkbox' : 'radio'}
              name={id}
              value={value}
              checked={many ? chosen.includes(value) : chosen === value}
              onChange={() => onChoose(value)}
              className="absolute inset-0 size-full cursor-pointer appearance-none rounded-full focus-visible:outline-none"
            />
            {label}
          </label>
        ))}
      </div>
      {error && (
        <p id={`${id}-error`} className="mt-1.5 text-xs font-medium text-danger">
          {error}
        </p>
      )}
    </fieldset>
  );
}
