/**
 * Controls that do nothing, or keep nothing, before the page is hydrated: the server renders them disabled
 * or read-only. Once React has hydrated such a control, it works, and nothing renders again for that.
 * React was told that it works from the start; such a difference stays until a ref ends it:
 * https://react.dev/reference/react-dom/client/hydrateRoot#suppressing-unavoidable-hydration-mismatch-errors
 */
import type { Ref, RefCallback } from 'react';

type Control = HTMLButtonElement | HTMLFieldSetElement | HTMLInputElement | HTMLSelectElement;
type Text = HTMLInputElement | HTMLTextAreaElement;

const isServer = typeof document === 'undefined';

const enable = (control: Control | HTMLTextAreaElement | null) => {
  if (control) control.disabled = false;
};
const unlock = (text: Text | null) => {
  if (text) text.readOnly = false;
};

/** Calls a function with the element, then the component's own ref. */
function before<Element>(
  run: (element: Element | null) => void,
  ref: Ref<Element> | undefined,
): RefCallback<Element> {
  if (!ref) return run;
  return (element) => {
    run(element);
    if (typeof ref === 'function') return ref(element);
    ref.current = element;
  };
}

/** Props of a control that's disabled until the page is hydrated, and then if `disabled` says so. */
export function enabledWhenReady<Element extends Control | HTMLTextAreaElement>({
  disabled = false,
  ref,
}: {
  disabled?: boolean | undefined;
  ref?: Ref<Element> | undefined;
} = {}) {
  if (disabled || isServer) return { disabled: true };
  return { disabled: false, ref: before(enable, ref), suppressHydrationWarning: true };
}

/** Props of a text field that's read-only until the page is hydrated, and then if `readOnly` says so. */
export function writableWhenReady<Element extends Text>({
  readOnly = false,
  ref,
}: {
  readOnly?: boolean | undefined;
  ref?: Ref<Element> | undefined;
} = {}) {
  if (readOnly || isServer) return { readOnly: true };
  return { readOnly: false, ref: before(unlock, ref), suppressHydrationWarning: true };
}
