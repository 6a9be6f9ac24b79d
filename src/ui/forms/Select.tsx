import { type ComponentProps, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { htmlText } from '#lib/html-text.ts';
import { classNames } from '../class-names.ts';
import { LineIcon } from '../LineIcon.tsx';
import { inputLook } from './inputs.ts';

interface SelectOption {
  value: string;
  label: string;
  disabled?: boolean;
}

interface Options {
  options: readonly SelectOption[];
  /** The first option, with the value ''. */
  placeholder?: string | undefined;
}

export interface SelectProps extends Omit<ComponentProps<'select'>, 'multiple'>, Options {
  placeholder?: string;
}

/** @param chosen the value of the option that's selected at first, if it isn't the first one */
function optionsHtml({ options, placeholder }: Options, chosen?: unknown): string {
  const all = placeholder === undefined ? options : [{ value: '', label: placeholder }, ...options];
  return all
    .map(({ value, label, disabled }: SelectOption) => {
      const state = `${value === chosen ? ' selected=""' : ''}${disabled ? ' disabled=""' : ''}`;
      return `<option value="${htmlText(value)}"${state}>${htmlText(label)}</option>`;
    })
    .join('');
}

/** Shows other options once they've changed; the chosen one stays chosen if it's among them. */
function useChangedOptions(frame: RefObject<HTMLElement | null>, now: Options, value: unknown) {
  const shown = useRef(now);
  useLayoutEffect(() => {
    const before = shown.current;
    if (before.options === now.options && before.placeholder === now.placeholder) return;
    shown.current = now;
    const html = optionsHtml(now);
    const select = frame.current?.querySelector('select');
    if (!select || html === optionsHtml(before)) return;
    const chosen = value === undefined ? select.value : String(value);
    select.innerHTML = html;
    // Otherwise it's the first one's turn.
    if ([...select.options].some((option) => option.value === chosen)) select.value = chosen;
  });
}

/**
 * A native `<select>`: phones and screen readers handle it best, and it works before and without
 * JavaScript. To React its options are HTML, because it would take longer to hydrate hundreds of
 * countries than the rest of a screen.
 */
export function Select({ options, placeholder, className, ...rest }: SelectProps) {
  const frame = useRef<HTMLSpanElement>(null);
  const now = { options, placeholder };
  const [first] = useState(() => ({
    __html: optionsHtml(now, rest.value ?? rest.defaultValue),
  }));
  useChangedOptions(frame, now, rest.value);
  return (
    <span ref={frame} className="relative block">
      <select
        {...rest}
        className={classNames(inputLook, 'appearance-none pr-10 text-ellipsis', className)}
        // biome-ignore lint/security/noDangerouslySetInnerHtml: all texts are escaped
        dangerouslySetInnerHTML={first}
      />
      <LineIcon
        d="m5.5 8 4.5 4.5L14.5 8"
        className="pointer-events-none absolute top-1/2 right-3 size-5 -translate-y-1/2 text-muted"
      />
    </span>
  );
}
