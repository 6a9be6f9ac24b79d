import { type ComponentProps, useId } from 'react';
import { useReady } from '../use-ready.ts';
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
  // Rendered after hydration, so the HTML doesn't contain the long list twice (props and markup).
  const ready = useReady();
  return (
    <>
      <TextInput
        autoComplete="off"
        // Select the text on focus, so that typing replaces it and searches the whole list.
        onFocus={(event) => event.currentTarget.select()}
        {...rest}
        list={id}
      />
      <datalist id={id}>
        {ready && suggestions.map((suggestion) => <option key={suggestion} value={suggestion} />)}
      </datalist>
    </>
  );
}
