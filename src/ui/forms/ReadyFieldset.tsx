import type { ComponentProps } from 'react';
import { useReady } from '../use-ready.ts';

/** A fieldset that's disabled until the page is hydrated, because its fields do nothing before. */
export const ReadyFieldset = (props: ComponentProps<'fieldset'>) => (
  <fieldset {...props} disabled={!useReady()} />
);
