import { type ReactNode, useId, useRef } from 'react';
import { Button } from '../Button.tsx';
import { classNames } from '../class-names.ts';
import { useFileDrop } from '../use-file-drop.ts';
import { FileInput } from './FileInput.tsx';

interface FilePickerProps {
  /** The input's name for screen readers: "Files to add". */
  label: string;
  /** The button's words: "Add files". */
  button: string;
  /** What's taken, and who can see it. */
  hint: ReactNode;
  multiple?: boolean;
  /** The types to offer in the browser's dialog. */
  accept?: string | undefined;
  className?: string;
  onFiles: (files: File[]) => void;
}

/** Adds files that the user picks with its button or drops on it. */
export function FilePicker(props: FilePickerProps) {
  const { label, button, hint, multiple = false, accept, className, onFiles } = props;
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const take = (files: File[]) => {
    const taken = multiple ? files : files.slice(0, 1);
    if (taken.length > 0) onFiles(taken);
  };
  const { isOver, drop } = useFileDrop(take);
  return (
    <div
      className={classNames(
        'no-print rounded-control border border-dashed p-4 text-sm',
        isOver ? 'border-primary bg-primary-soft' : 'border-line',
        className,
      )}
      {...drop}
    >
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <FileInput ref={input} id={id} multiple={multiple} accept={accept} onFiles={take} />
      <Button
        size="small"
        variant="secondary"
        needsScript
        aria-describedby={`${id}-kinds`}
        onClick={() => input.current?.click()}
      >
        {button}
      </Button>
      <p id={`${id}-kinds`} className="mt-2 text-xs text-muted">
        {hint}
      </p>
    </div>
  );
}
