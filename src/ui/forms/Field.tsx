import { type ComponentProps, type ElementType, type ReactNode, useId } from 'react';
import { classNames } from '../class-names.ts';
import { TextInput } from './TextInput.tsx';

interface FieldOwnProps<Control extends ElementType> {
  label: ReactNode;
  /** Whether a heading right above says the same, so only screen readers need the label. */
  isLabelHidden?: boolean;
  /** What to type, or why we ask. Shown under the label. */
  hint?: ReactNode;
  /** What's wrong and what to do. Announced with the field. */
  error?: ReactNode;
  /** Says "optional" next to the label. */
  optional?: boolean;
  /** The control: TextInput by default, or TextArea, PasswordInput, Select … */
  as?: Control;
  /** Something next to the label, such as a link. */
  aside?: ReactNode;
  className?: string;
}

export type FieldProps<Control extends ElementType> = FieldOwnProps<Control> &
  Omit<ComponentProps<Control>, keyof FieldOwnProps<Control>>;

/**
 * A label, a control, a hint and an error, associated both visually and for screen readers.
 * Other props go to the control, including `ref` and react-hook-form's `register()`.
 */
export function Field<Control extends ElementType = typeof TextInput>(props: FieldProps<Control>) {
  const { label, isLabelHidden, hint, error, optional, as, aside, className, ...rest } =
    props as FieldOwnProps<Control> & Record<string, unknown>;
  const made = useId();
  const Control = (as ?? TextInput) as ElementType;
  const id = typeof rest.id === 'string' ? rest.id : made;
  const given = typeof rest['aria-describedby'] === 'string' ? rest['aria-describedby'] : '';
  const described = classNames(hint != null && `${id}-hint`, error ? `${id}-error` : '', given);

  return (
    <div className={classNames('flex flex-col gap-1.5', className)}>
      <div
        className={classNames(
          'flex items-baseline justify-between gap-3',
          isLabelHidden && 'sr-only',
        )}
      >
        <label htmlFor={id} className="text-sm font-semibold">
          {label}
          {optional && <span className="font-normal text-muted"> (optional)</span>}
        </label>
        {aside != null && <span className="text-xs">{aside}</span>}
      </div>
      {hint != null && (
        <p id={`${id}-hint`} className="-mt-1 text-xs text-muted">
          {hint}
        </p>
      )}
      <Control
        {...rest}
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={described || undefined}
      />
      {error ? (
        <p id={`${id}-error`} className="flex gap-1.5 text-xs font-medium text-danger">
          <svg
            viewBox="0 0 16 16"
            className="mt-0.5 size-3.5 shrink-0 fill-current"
            aria-hidden="true"
          >
            <path d="M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1Zm.9 10.9H7.1v-1.800h1.800v1.800Zm0-3.200H7.1V4.1h1.800v4.600Z" />
          </svg>
          <span>{error}</span>
        </p>
      ) : null}
    </div>
  );
}
