import { type ComponentProps, useId } from 'react';

interface RadioListProps extends ComponentProps<'input'> {
  legend: string;
  options: readonly (readonly [value: string, label: string])[];
  error: string | undefined;
}

/** A few one-line choices. Other props go to each input, including `register()`. */
export function RadioList({ legend, options, error, ...input }: RadioListProps) {
  const id = useId();
  return (
    <fieldset className="flex flex-col gap-1" aria-describedby={error ? id : undefined}>
      <legend className="mb-1 text-sm font-semibold">{legend}</legend>
      {options.map(([value, label]) => (
        <label key={value} className="flex min-h-11 items-center gap-3 text-sm">
          <input {...input} type="radio" value={value} className="size-5 shrink-0 accent-primary" />
          {label}
        </label>
      ))}
      {error && (
        <p id={id} className="text-xs font-medium text-danger">
          {error}
        </p>
      )}
    </fieldset>
  );
}
