import { type ComponentProps, useId } from 'react';
import { useReady } from '../use-ready.ts';
import { TextInput } from './TextInput.tsx';

interface SuggestProps extends ComponentProps<typeof TextInput> {
  /** What can be chosen; anything else can be typed as well. */
  suggestions: readonly string[];
}

/**
 * One line of text with a long list to search in while typing. The browser's own control, as in
 * Select: phones and screen readers handle it best. Goes in a Field, which names it.
 */
export function SuggestInput({ suggestions, ...rest }: SuggestProps) {
  const id = useId();
  // A long list that nothing can be done with yet isn't sent twice, as properties and as markup.
  const ready = useReady();
  return (
    <>
      <TextInput
        autoComplete="off"
        // The whole list is offered for an empty field, and typing replaces what is there.
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
