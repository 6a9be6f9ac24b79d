import { type ComponentProps, type ReactNode, useId } from 'react';
import { classNames } from '../class-names.ts';
import { CHECK, LineIcon } from '../LineIcon.tsx';

export interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type'> {
  label: ReactNode;
  hint?: ReactNode;
  error?: ReactNode;
}

/** The look of a checkbox, with its check mark after it in the same grid cell. */
export const CHECKBOX =
  "peer col-start-1 row-start-1 size-5 appearance-none rounded-small border-[1.5px] border-edge bg-surface checked:border-primary checked:bg-primary aria-invalid:border-danger disabled:opacity-55 forced-colors:appearance-auto before:absolute before:-inset-3 before:content-[''] indeterminate:border-primary indeterminate:bg-primary";
export const CHECKBOX_MARK =
  'pointer-events-none invisible col-start-1 row-start-1 size-3.5 text-primary-ink peer-checked:visible peer-indeterminate:visible forced-colors:hidden print:text-primary';

/** A checkbox with its label next to it. */
export function Checkbox({ label, hint, error, className, ...rest }: CheckboxProps) {
  const made = useId();
  const id = rest.id ?? made;
  const described = classNames(hint != null && `${id}-hint`, error ? `${id}-error` : '');
  return (
    <div className={classNames('relative flex gap-3', className)}>
      <span className="relative mt-0.5 grid size-5 shrink-0 place-items-center">
        <input
          {...rest}
          id={id}
          type="checkbox"
          aria-invalid={error ? true : undefined}
          aria-describedby={described || undefined}
          className={CHECKBOX}
        />
        <LineIcon d={CHECK} box={16} width={2.2} className={CHECKBOX_MARK} />
      </span>
      <span className="flex flex-col">
        <label htmlFor={id} className="text-sm">
          {label}
        </label>
        {hint != null && (
          <span id={`${id}-hint`} className="text-xs text-muted">
            {hint}
          </span>
        )}
        {error ? (
          <span id={`${id}-error`} className="text-xs font-medium text-danger">
            {error}
          </span>
        ) : null}
      </span>
    </div>
  );
}
