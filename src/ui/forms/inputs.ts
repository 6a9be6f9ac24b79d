/** Shared styles of text inputs, selects and text areas. */
export const inputLook =
  'w-full min-h-11 [&[type=date]]:h-11 rounded-control border border-edge bg-surface px-3.5 py-2 text-base text-ink placeholder:text-muted ' +
  'hover:border-muted focus-visible:border-focus focus-visible:rounded-control aria-invalid:border-danger ' +
  'disabled:cursor-not-allowed disabled:bg-raised disabled:text-muted [&[readonly]]:bg-raised';
