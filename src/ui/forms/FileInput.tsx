import type { ComponentProps } from 'react';

interface FileInputProps extends Omit<ComponentProps<'input'>, 'onChange'> {
  onFiles: (files: File[]) => void;
}

/** A hidden input that a button opens. The same file can be chosen again after it was refused. */
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
