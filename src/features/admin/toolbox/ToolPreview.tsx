import { useEffect, useState } from 'react';
import type { ToolContent } from '#domain/admin-tools.ts';
import { kindLabel, levelsLabel } from '#domain/tool.ts';
import { Markdown } from '#ui/Markdown.tsx';
import { ToolFiles, ToolVideo } from '#ui/ToolMedia.tsx';

interface ToolPreviewProps {
  tool: ToolContent;
  areaName: string;
}

/** A tool as people see it in the toolbox. */
export function ToolPreview({ tool, areaName }: ToolPreviewProps) {
  const { title, summary, type, minutes, format, levels, calculator, body_markdown } = tool;
  const { files, video, captions } = tool;
  const captionsSrc = useCaptionsSrc(captions);
  return (
    <div className="card mt-3 p-5 wrap-break-word sm:p-6">
      <p className="eyebrow">{areaName}</p>
      <p className="mt-1 font-display text-2xl font-heading">{title || 'Untitled'}</p>
      {summary && <p className="mt-3 text-lg text-muted">{summary}</p>}
      <p className="mt-4 mb-6 border-b border-line pb-5 text-sm text-muted">
        {[
          kindLabel({ type, minutes: minutes ?? 0 }),
          format,
          levels.length > 0 && levelsLabel(levels),
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {calculator && (
        <p className="mb-6 rounded-control bg-raised p-4 text-sm text-muted">
          People see the calculator here.
        </p>
      )}
      {video && <ToolVideo {...{ title, video, captions, captionsSrc }} />}
      <Markdown text={body_markdown} />
      {files.length > 0 && (
        <div className="mt-6 border-t border-line pt-5">
          <p className="font-semibold">Download it</p>
          <ToolFiles files={files} />
        </div>
      )}
    </div>
  );
}

/** An address of captions that are still being written. */
function useCaptionsSrc(captions: string): string | undefined {
  const [src, setSrc] = useState<string>();
  useEffect(() => {
    const address = URL.createObjectURL(new Blob([captions], { type: 'text/vtt' }));
    setSrc(address);
    return () => URL.revokeObjectURL(address);
  }, [captions]);
  return src;
}
