import { classNames } from '../class-names.ts';

export interface ScaleProps {
  /** The radio group's `name`; the question is the legend of the surrounding `<fieldset>`. */
  name: string;
  /** The steps, in order. */
  values: readonly number[];
  chosen: number | null | undefined;
  onChoose: (value: number) => void;
  /** Clears the answer. Without it, a choice can only be changed. */
  onClear?: () => void;
  /** What the first and last steps mean; part of their accessible names. */
  low: string;
  high: string;
}

/** A row of numbers whose two ends are labeled: how sure, how much, how likely. */
export function Scale({ name, values, chosen, onChoose, onClear, low, high }: ScaleProps) {
  const [first, last] = [values[0], values.at(-1)];
  const nameOf = (value: number) => {
    if (value === first) return `${value}, ${low}`;
    return value === last ? `${value}, ${high}` : String(value);
  };
  return (
    <>
      <div
        className={classNames(
          'grid',
          // Eleven cells in one row of a phone would be too narrow to hit.
          values.length > 5
            ? 'grid-cols-6 gap-0.5 sm:grid-cols-11 sm:gap-1.5'
            : 'grid-cols-5 gap-2 sm:gap-3',
        )}
      >
        {values.map((value) => (
          <label
            key={value}
            className={classNames(
              'relative flex items-center justify-center rounded-control border border-edge bg-surface font-medium figures transition-colors hover:border-muted',
              values.length > 5 ? 'min-h-12 text-sm sm:text-base' : 'min-h-16 text-lg',
              'has-checked:border-primary has-checked:bg-primary-soft has-checked:ring-1 has-checked:ring-primary forced-colors:has-checked:outline-3',
              'has-focus-visible:outline-[2.5px] has-focus-visible:outline-offset-2 has-focus-visible:outline-focus',
            )}
          >
            <input
              type="radio"
              name={name}
              value={value}
              checked={chosen === value}
              onChange={() => onChoose(value)}
              aria-label={nameOf(value)}
              className="absolute inset-0 size-full cursor-pointer appearance-none rounded-control focus-visible:outline-none"
            />
            <span aria-hidden="true">{value}</span>
          </label>
        ))}
      </div>
      <div className="mt-2.5 flex justify-between gap-6 text-xs text-muted">
        <span aria-hidden="true">{upper(low)}</span>
        {onClear && chosen != null && (
          <button
            type="button"
            onClick={({ currentTarget }) => {
              onClear();
              // This button disappears, so move the focus to its group.
              currentTarget.closest('fieldset')?.querySelector('input')?.focus();
            }}
            className="-my-3 min-h-11 px-2 underline underline-offset-4 hover:text-ink"
          >
            Clear this answer
          </button>
        )}
        <span aria-hidden="true">{upper(high)}</span>
      </div>
    </>
  );
}

const upper = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
