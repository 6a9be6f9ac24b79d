import type { ComponentProps } from 'react';
import { enabledWhenReady } from '../until-ready.ts';

/** A fieldset that's disabled until the page is hydrated, because its fields do nothing before. */
export const ReadyFieldset = (props: ComponentProps<'fieldset'>) => (
  <fieldset {...props} {...enabledWhenReady(props)} />
);
