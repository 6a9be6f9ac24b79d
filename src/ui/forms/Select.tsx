import type { ComponentProps } from 'react';
import { classNames } from '../class-names.ts';
import { LineIcon } from '../LineIcon.tsx';
import { inputLook } from './inputs.ts';

interface SelectOption {
  value: string;
  label: string;
  disabled?: boolean;
}

export interface SelectProps extends ComponentProps<'select'> {
  options: readonly SelectOption[];
  /** The first option, with the value ''. */
  placeholder?: string;
}

/**
 * A native `<select>`: phones and screen readers handle it best, and it works before and without
 * JavaScript.
 */
export function Select({ options, placeholder, className, ...rest }: SelectProps) {
  return (
    <span className="relative block">
      <select
        {...rest}
        className={classNames(inputLook, 'appearance-none pr-10 text-ellipsis', className)}
      >
        {placeholder !== undefined && <option value="">{placeholder}</option>}
        {options.map(({ value, label, disabled }) => (
          <option key={value} value={value} disabled={disabled}>
            {label}
          </option>
        ))}
      </select>
      <LineIcon
        d="m5.5 8 4.5 4.5L14.5 8"
        className="pointer-events-none absolute top-1/2 right-3 size-5 -translate-y-1/2 text-muted"
      />
    </span>
  );
}
