import { useStore } from '@nanostores/react';
import { useEffect, useMemo, useState } from 'react';
import { db } from '#lib/db.ts';
import { Button } from '#ui/Button.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Notice } from '#ui/Notice.tsx';
import { Progress } from '#ui/Progress.tsx';
import { Section } from '#ui/Section.tsx';
import { createExportStore, type ExportState } from './export-store.ts';

/** Lets the user download everything we store about them. */
export function ExportSection() {
  const [store] = useState(() => createExportStore(db));
  const now = useStore(store.$export, { ssr: 'initial' });
  const busy = now.state === 'reading' || now.state === 'packing';
  return (
    <Section id="export" title="Download your data">
      <p className="mt-1 max-w-[60ch] text-sm text-muted">
        Everything we have about you and your businesses, in one ZIP file whose tables open in a
        spreadsheet. Your browser puts it together, and it doesn’t go anywhere else.
      </p>
      <div className="mt-5 flex flex-col items-start gap-4">
        {now.state === 'ready' ? (
          <Ready archive={now} />
        ) : (
          <Button variant="secondary" pending={busy} onClick={() => void store.make()}>
            {now.state === 'failed' ? 'Try again' : 'Download my data'}
          </Button>
        )}
        {now.state === 'packing' && now.of > 0 && (
          <Progress value={now.done} max={now.of} label="Files" className="w-full max-w-md" />
        )}
        <p role="status" className="text-sm text-muted">
          {now.state === 'reading' && 'Gathering your data.'}
          {now.state === 'packing' &&
            now.of > 0 &&
            `File ${Math.min(now.done + 1, now.of)} of ${now.of}.`}
        </p>
        {now.state === 'failed' && (
          <Failure failure={now.error} title="Your archive isn’t finished" />
        )}
      </div>
    </Section>
  );
}

/** Offers the finished archive as a link, so the user decides when and where to save it. */
function Ready({ archive }: { archive: Extract<ExportState, { state: 'ready' }> }) {
  const href = useMemo(() => URL.createObjectURL(archive.archive), [archive.archive]);
  useEffect(() => () => URL.revokeObjectURL(href), [href]);
  return (
    <Notice
      tone="good"
      live="polite"
      title="Your archive is ready"
      action={
        <Button size="small" href={href} download={archive.name}>
          Download archive
        </Button>
      }
    >
      {sizeText(archive.archive.size)}. It contains private data. Keep it somewhere only you can
      open.
    </Notice>
  );
}

const sizeText = (bytes: number) =>
  bytes < 1_000_000
    ? `${Math.max(1, Math.round(bytes / 1000))} kB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`;
