import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { htmlText } from '#lib/html-text.ts';
import { classNames } from '../class-names.ts';
import { LineIcon } from '../LineIcon.tsx';
import { enabledWhenReady } from '../until-ready.ts';
import { inputLook } from './inputs.ts';
import type { SelectProps } from './Select.tsx';

interface Options {
  options: SelectProps['options'];
  placeholder: string | undefined;
}

/** @param chosen the value of the option that's selected at first, if it isn't the first one */
function optionsHtml({ options, placeholder }: Options, chosen?: string): string {
  const all = placeholder === undefined ? options : [{ value: '', label: placeholder }, ...options];
  return all
    .map(({ value, label, disabled }: SelectProps['options'][number]) => {
      const state = `${value === chosen ? ' selected=""' : ''}${disabled ? ' disabled=""' : ''}`;
      return `<option value="${htmlText(value)}"${state}>${htmlText(label)}</option>`;
    })
    .join('');
}

/** Whether two lists of options look the same. Most screens make a new list whenever they render. */
const areSame = (one: Options, other: Options) =>
  one.placeholder === other.placeholder &&
  one.options.length === other.options.length &&
  one.options.every(({ value, label, disabled }, index) => {
    const twin = other.options[index];
    return value === twin?.value && label === twin.label && disabled === twin.disabled;
  });

/** Shows other options once they've changed; the chosen one stays chosen if it's among them. */
function useChangedOptions(frame: RefObject<HTMLElement | null>, now: Options, value: unknown) {
  const shown = useRef(now);
  useLayoutEffect(() => {
    const select = frame.current?.querySelector('select');
    if (!select || areSame(shown.current, now)) return;
    shown.current = now;
    const chosen = value === undefined ? select.value : String(value);
    select.innerHTML = optionsHtml(now);
    // Otherwise it's the first one's turn.
    if ([...select.options].some((option) => option.value === chosen)) select.value = chosen;
  });
}

/**
 * A Select with dozens of options, such as states or countries. To React they're HTML, because they
 * would take longer to hydrate than the rest of a screen.
 */
export function LongSelect({ options, placeholder, className, ...rest }: SelectProps) {
  const frame = useRef<HTMLSpanElement>(null);
  const now = { options, placeholder };
  const [first] = useState(() => {
    const chosen = rest.value ?? rest.defaultValue;
    return { __html: optionsHtml(now, chosen === undefined ? chosen : String(chosen)) };
  });
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

/** One whose choice is saved at once: it can't be changed until the page is hydrated. */
export const ReadyLongSelect = (props: SelectProps) => (
  <LongSelect {...props} {...enabledWhenReady(props)} />
);
