import type { ComponentProps } from 'react';
import { classNames } from '../class-names.ts';
import { inputLook } from './inputs.ts';

/** A one-line text field. Use it in a Field, which labels it. */
export function TextInput({ className, type = 'text', ...rest }: ComponentProps<'input'>) {
  return <input type={type} {...rest} className={classNames(inputLook, className)} />;
}
