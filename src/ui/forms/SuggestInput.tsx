import { type ComponentProps, useId, useState } from 'react';
import { TextInput } from './TextInput.tsx';

interface SuggestProps extends ComponentProps<typeof TextInput> {
  /** Options to choose from; the user can type anything else too. */
  suggestions: readonly string[];
}

/**
 * A text input with a long list of suggestions. It uses the native `<datalist>`, which phones and
 * screen readers handle best. Use it in a Field, which labels it.
 */
export function SuggestInput({ suggestions, ...rest }: SuggestProps) {
  const id = useId();
  // Rendered once it's needed: hundreds of options would take longer than the rest of the screen.
  const [isNeeded, setNeeded] = useState(false);
  return (
    <>
      <TextInput
        autoComplete="off"
        // Select the text on focus, so that typing replaces it and searches the whole list.
        onFocus={(event) => {
          setNeeded(true);
          event.currentTarget.select();
        }}
        {...rest}
        list={id}
      />
      <datalist id={id}>
        {isNeeded &&
          suggestions.map((suggestion) => <option key={suggestion} value={suggestion} />)}
      </datalist>
    </>
  );
}
