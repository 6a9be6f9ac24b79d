/**
 * Inputs whose text is saved as it's typed: it can't be changed until the page is hydrated, because
 * it wouldn't be saved. They render again for that by themselves, without the screen around them.
 */
import type { ComponentProps } from 'react';
import { useReady } from '../use-ready.ts';
import { Select, type SelectProps } from './Select.tsx';
import { TextArea } from './TextArea.tsx';
import { TextInput } from './TextInput.tsx';

export const ReadyTextInput = ({ readOnly, ...rest }: ComponentProps<typeof TextInput>) => (
  <TextInput {...rest} readOnly={!useReady() || readOnly} />
);

export const ReadyTextArea = ({ readOnly, ...rest }: ComponentProps<typeof TextArea>) => (
  <TextArea {...rest} readOnly={!useReady() || readOnly} />
);

/** A select can't be read-only. */
export const ReadySelect = ({ disabled, ...rest }: SelectProps) => (
  <Select {...rest} disabled={!useReady() || disabled} />
);
