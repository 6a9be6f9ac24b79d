import type { ComponentProps, ReactNode } from 'react';
import { classNames } from '../class-names.ts';

export interface RadioCardProps extends Omit<ComponentProps<'input'>, 'type'> {
  children: ReactNode;
  /** The keyboard shortcut that chooses this card, shown at its end. */
  shortcut?: string;
  /** Styled less prominently: "doesn't apply to us". */
  quiet?: boolean;
  /** Smaller on a phone, for several long sentences that must fit on one screen. */
  dense?: boolean;
}

/** A radio button with room for a sentence. Use it in a `<fieldset>` with a `<legend>`. */
export function RadioCard({
  children,
  shortcut,
  quiet = false,
  dense = false,
  className,
  ...rest
}: RadioCardProps) {
  return (
    <label
      className={classNames(
        'group relative flex items-center rounded-control border border-line bg-surface transition-colors',
        dense
          ? 'min-h-11 gap-2.5 px-3 py-1 text-sm leading-tight sm:min-h-12 sm:gap-3.5 sm:px-4 sm:py-3 sm:text-base sm:leading-snug'
          : 'min-h-12 gap-3.5 px-4 py-3 text-base leading-snug',
        'hover:border-edge has-checked:border-primary has-checked:bg-primary-soft has-checked:ring-1 has-checked:ring-primary',
        'has-focus-visible:outline-[2.5px] has-focus-visible:outline-offset-2 has-focus-visible:outline-focus',
        'has-disabled:opacity-55',
        quiet && 'text-muted has-checked:text-ink',
        className,
      )}
    >
      <input
        {...rest}
        type="radio"
        className="size-5 shrink-0 appearance-none rounded-full border-[1.5px] border-edge bg-surface checked:border-[6px] checked:border-primary focus-visible:outline-none forced-colors:appearance-auto"
      />
      <span className="grow">{children}</span>
      {shortcut !== undefined && (
        <span
          aria-hidden="true"
          className="shrink-0 rounded-small border border-line px-2 font-text text-xs text-muted figures group-has-checked:border-transparent pointer-coarse:hidden"
        >
          {shortcut}
        </span>
      )}
    </label>
  );
}
