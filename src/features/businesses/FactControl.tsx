import type { ComponentProps } from 'react';
import { Select } from '#ui/forms/Select.tsx';
import { TextArea } from '#ui/forms/TextArea.tsx';
import { TextInput } from '#ui/forms/TextInput.tsx';

interface ControlProps {
  /** Given, it is a choice. */
  choices?: readonly { value: string; label: string }[] | undefined;
  long?: boolean | undefined;
  type?: string | undefined;
  name: string;
  value: string;
  autoComplete?: string;
  /** Shown and not to be changed now. */
  closed: boolean;
  onType: (value: string) => void;
}

/** What a fact is typed into: a choice, several lines or one. */
export function FactControl({ choices, long, type, closed, onType, ...rest }: ControlProps) {
  const onChange: ComponentProps<'input'>['onChange'] &
    ComponentProps<'select'>['onChange'] &
    ComponentProps<'textarea'>['onChange'] = (event) => onType(event.currentTarget.value);
  if (choices) {
    return (
      <Select
        {...rest}
        options={choices}
        placeholder="Choose one"
        // A choice cannot be read-only.
        disabled={closed}
        onChange={onChange}
      />
    );
  }
  if (long) return <TextArea {...rest} rows={4} readOnly={closed} onChange={onChange} />;
  return <TextInput {...rest} type={type ?? 'text'} readOnly={closed} onChange={onChange} />;
}
