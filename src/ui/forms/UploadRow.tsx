import { sizeText } from '#lib/files/file-text.ts';
import type { Upload } from '#lib/files/uploads.ts';
import { Button } from '../Button.tsx';
import { Progress } from '../Progress.tsx';

interface UploadRowProps {
  upload: Upload<unknown>;
  onRetry: () => void;
  /** Cancels the upload, or dismisses one that failed. */
  onDrop: () => void;
}

/** A file that's being uploaded, with its progress, or why it stopped. */
export function UploadRow({ upload, onRetry, onDrop }: UploadRowProps) {
  const { name, size, sent, problem } = upload;
  return (
    <li className="rounded-control bg-raised p-3 text-sm">
      <p className="flex items-baseline justify-between gap-3">
        <span className="min-w-0 font-medium wrap-anywhere">{name}</span>
        {!problem && (
          <span className="shrink-0 text-xs text-muted figures">
            {sizeText(sent)} of {sizeText(size)}
          </span>
        )}
      </p>
      {problem ? (
        <p role="alert" className="mt-1 text-xs text-danger">
          <span className="sr-only">{name}: </span>
          {problem.text}
        </p>
      ) : (
        <Progress className="mt-2 bg-line" label={`Uploading ${name}`} value={sent} max={size} />
      )}
      <p className="mt-1 flex gap-1">
        {problem?.again && (
          <Button size="small" variant="quiet" className="-ml-3" onClick={onRetry}>
            Try again
          </Button>
        )}
        <Button
          size="small"
          variant="quiet"
          className={problem?.again ? '' : '-ml-3'}
          onClick={onDrop}
        >
          {problem ? 'Dismiss' : 'Cancel'}
          <span className="sr-only"> {name}</span>
        </Button>
      </p>
    </li>
  );
}
