import { type ComponentProps, useId } from 'react';
import { classNames } from '../class-names.ts';
import { TextInput } from './TextInput.tsx';

interface UnitInputProps extends ComponentProps<typeof TextInput> {
  /** "$" is shown before the number, another unit after it. */
  unit: string;
}

/** A one-line field for a number, with its unit in it, which is read with its hint. Use it in a Field. */
export function UnitInput({ unit, className, ...rest }: UnitInputProps) {
  const id = useId();
  const isFirst = unit === '$';
  return (
    <span className="relative block">
      <TextInput
        {...rest}
        aria-describedby={classNames(rest['aria-describedby'], id)}
        className={classNames(isFirst ? 'pl-8' : 'pr-16', className)}
      />
      <span
        id={id}
        className={classNames(
          'pointer-events-none absolute inset-y-0 flex items-center text-muted',
          isFirst ? 'left-3.5' : 'right-3.5',
        )}
      >
        {unit}
      </span>
    </span>
  );
}
