/**
 * Inputs whose text is saved as it's typed: it can't be changed until the page is hydrated, because
 * it wouldn't be saved.
 */
import type { ComponentProps } from 'react';
import { enabledWhenReady, writableWhenReady } from '../until-ready.ts';
import { Select, type SelectProps } from './Select.tsx';
import { TextArea } from './TextArea.tsx';
import { TextInput } from './TextInput.tsx';

export const ReadyTextInput = (props: ComponentProps<typeof TextInput>) => (
  <TextInput {...props} {...writableWhenReady(props)} />
);

export const ReadyTextArea = (props: ComponentProps<typeof TextArea>) => (
  <TextArea {...props} {...writableWhenReady(props)} />
);

/** A select can't be read-only. */
export const ReadySelect = (props: SelectProps) => (
  <Select {...props} {...enabledWhenReady(props)} />
);
