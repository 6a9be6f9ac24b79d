import { X } from 'lucide-react';
import { sizeText } from '#lib/files/file-kind.ts';
import { IconButton } from '#ui/IconButton.tsx';
import { Progress } from '#ui/Progress.tsx';
import type { Attachment, AttachmentStore } from './attachment-store.ts';

interface ListProps {
  store: AttachmentStore;
  attachments: readonly Attachment[];
}

/** The files of the next message, each with its progress. */
export function AttachmentList({ store, attachments }: ListProps) {
  return (
    <ul
      aria-label="Files that go with it"
      className="mb-2 flex max-h-44 flex-col gap-1.5 overflow-y-auto"
    >
      {attachments.map((attachment) => (
        <Row key={attachment.id} attachment={attachment} store={store} />
      ))}
    </ul>
  );
}

function Row({ attachment, store }: { attachment: Attachment; store: AttachmentStore }) {
  const { id, name, size, sent, stored, problem } = attachment;
  return (
    <li className="flex items-center gap-2 rounded-control bg-raised py-1 pl-3 text-xs">
      <div className="min-w-0 grow py-1">
        <p className="flex items-baseline gap-2">
          <span className="min-w-0 truncate font-medium">{name}</span>
          <span className="shrink-0 text-muted figures">
            {stored || problem ? sizeText(size) : `${sizeText(sent)} of ${sizeText(size)}`}
          </span>
        </p>
        {problem ? (
          <p role="alert" className="text-danger">
            <span className="sr-only">{name}: </span>
            {problem.text}{' '}
            {problem.again && (
              <button type="button" className="link pointer-coarse:min-h-11" onClick={store.retry}>
                Try again
              </button>
            )}
          </p>
        ) : (
          !stored && (
            <Progress className="mt-1 bg-line" label={`Sending ${name}`} value={sent} max={size} />
          )
        )}
      </div>
      <IconButton
        label={`Take out ${name}`}
        className="grid size-11 shrink-0 place-items-center rounded-control text-muted hover:text-ink"
        onClick={() => store.remove(id)}
      >
        <X className="size-4" aria-hidden="true" />
      </IconButton>
    </li>
  );
}
