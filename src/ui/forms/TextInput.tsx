import type { ComponentProps } from 'react';
import { classNames } from '../class-names.ts';
import { inputLook } from './inputs.ts';

/** One line of text. Stands inside a Field, which names it. */
export function TextInput({ className, type = 'text', ...rest }: ComponentProps<'input'>) {
  return <input type={type} {...rest} className={classNames(inputLook, className)} />;
}
