import type { ComponentProps } from 'react';

interface FileInputProps extends Omit<ComponentProps<'input'>, 'onChange'> {
  onFiles: (files: File[]) => void;
}

/** A hidden file input, opened by a button. After an error, the same file can be chosen again. */
export function FileInput({ onFiles, ...rest }: FileInputProps) {
  return (
    <input
      {...rest}
      type="file"
      hidden
      onChange={({ target }) => {
        const files = [...(target.files ?? [])];
        target.value = '';
        onFiles(files);
      }}
    />
  );
}
