import { type ReactNode, useState } from 'react';
import { Field } from '#ui/forms/Field.tsx';
import { ReadyTextInput } from '#ui/forms/ready-inputs.tsx';
import { fieldText, readCents } from './amounts.ts';

interface FigureFieldProps {
  label: string;
  hint?: ReactNode;
  /** The saved value: cents, or a percentage. */
  value: number | null;
  /** Reads typed text; a string says what's wrong with it. */
  read: (text: string) => number | null | string;
  textOf: (value: number | null) => string;
  onChange: (value: number | null) => void;
  /** Text from before that can't be read. */
  unread?: string | undefined;
  /** Called with the text when the field is left. */
  onLeave?: (text: string) => void;
  /** Something next to the label. */
  aside?: ReactNode;
  className?: string;
}

/** A number that's saved as it's typed, unless it can't be read; then the saved one stays. */
export function FigureField(props: FigureFieldProps) {
  const { value, read, textOf, onChange, unread, onLeave, ...rest } = props;
  const [text, setText] = useState(unread ?? textOf(value));
  const [shown, setShown] = useState(value);
  // Changed elsewhere: by undo, in another tab, or by someone else.
  if (value !== shown) {
    setShown(value);
    if (read(text) !== value) setText(textOf(value));
  }
  const found = read(text);
  return (
    <Field
      {...rest}
      as={ReadyTextInput}
      inputMode="decimal"
      autoComplete="off"
      value={text}
      error={typeof found === 'string' ? found : undefined}
      onBlur={() => {
        if (typeof found !== 'string') setText(textOf(value));
        onLeave?.(text);
      }}
      onChange={(event: { currentTarget: { value: string } }) => {
        const typed = event.currentTarget.value;
        setText(typed);
        const next = read(typed);
        if (typeof next !== 'string' && next !== value) {
          setShown(next);
          onChange(next);
        }
      }}
    />
  );
}

type CentsProps = Omit<FigureFieldProps, 'read' | 'textOf'> & { isRequired?: boolean };

/** An amount in dollars. */
export const CentsField = ({ isRequired = false, ...rest }: CentsProps) => (
  <FigureField
    {...rest}
    textOf={fieldText}
    read={(text) => {
      const cents = readCents(text);
      if (cents === null && isRequired) return 'Enter an amount (zero is fine).';
      if (typeof cents !== 'string') return cents;
      return `${cents}. Use digits, such as 1,250 or 12.50.`;
    }}
  />
);

type PercentProps = Omit<FigureFieldProps, 'read' | 'textOf'> & { least: number; most: number };

/** A percentage with at most one decimal. */
export const PercentField = ({ least, most, ...rest }: PercentProps) => (
  <FigureField
    {...rest}
    textOf={(value) => String(value ?? '').replace('-', '−')}
    read={(text) => {
      const bare = text.trim().replace('−', '-').replace(/\s*%$/, '');
      const value = Number(bare);
      if (!/^[-+]?\d+(\.\d)?$/.test(bare)) return 'Enter a number, such as 5 or 2.5.';
      return value < least || value > most ? `Enter ${least} to ${most}.`.replace('-', '−') : value;
    }}
  />
);
