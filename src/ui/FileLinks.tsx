import type { AppError } from '#lib/errors.ts';
import { sizeText } from '#lib/files/file-text.ts';
import { Button } from './Button.tsx';
import { FailureLine } from './Failure.tsx';
import { useAction } from './use-action.ts';

interface StoredFile {
  id: string;
  name: string;
  /** Bytes. */
  size: number;
}

interface FileLinksProps<Stored extends StoredFile> {
  files: readonly Stored[];
  /** Gives a download link. Throws. */
  linkTo: (file: Stored) => Promise<string>;
  /** Converts what `linkTo` threw. */
  onError: (thrown: unknown) => AppError;
}

/** Stored files that download at a click. */
export function FileLinks<Stored extends StoredFile>(props: FileLinksProps<Stored>) {
  const { files, linkTo, onError } = props;
  const { failure, pending, run } = useAction(onError);
  return (
    <>
      <ul className="flex flex-wrap gap-2">
        {files.map((file) => (
          <li key={file.id} className="min-w-0">
            <Button
              size="small"
              variant="secondary"
              needsScript
              pending={pending}
              className="wrap-anywhere"
              onClick={() => void run(async () => location.assign(await linkTo(file)))}
            >
              {file.name} ({sizeText(file.size)})
            </Button>
          </li>
        ))}
      </ul>
      <FailureLine failure={failure} className="text-sm" />
    </>
  );
}
