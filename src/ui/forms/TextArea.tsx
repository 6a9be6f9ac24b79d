import type { ComponentProps } from 'react';
import { classNames } from '../class-names.ts';
import { inputLook } from './inputs.ts';

/** A multi-line text field that grows with its content where browsers support it. */
export function TextArea({ className, rows = 4, ...rest }: ComponentProps<'textarea'>) {
  return (
    <textarea
      rows={rows}
      {...rest}
      className={classNames(
        inputLook,
        'field-sizing-content max-h-96 min-h-28 leading-normal',
        className,
      )}
    />
  );
}
