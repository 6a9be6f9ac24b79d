import { type ComponentProps, useState } from 'react';
import { classNames } from '../class-names.ts';
import { inputLook } from './inputs.ts';

/** A password field with a button that reveals it. Without JavaScript it's a plain field. */
export function PasswordInput({ className, ...rest }: Omit<ComponentProps<'input'>, 'type'>) {
  const [shown, setShown] = useState(false);
  return (
    <span className="relative block">
      <input
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        {...rest}
        type={shown ? 'text' : 'password'}
        className={classNames(inputLook, 'pr-20', className)}
      />
      <button
        type="button"
        aria-label={shown ? 'Hide password' : 'Show password'}
        onClick={() => setShown(!shown)}
        className="absolute inset-y-0 right-0 min-w-16 rounded-control px-3 text-xs font-semibold text-primary hover:text-primary-strong"
      >
        {shown ? 'Hide' : 'Show'}
      </button>
    </span>
  );
}
