import type { ToolContent } from '#domain/admin-tools.ts';
import { kindLabel, levelsLabel } from '#domain/tool.ts';
import { Markdown } from '#ui/Markdown.tsx';

interface ToolPreviewProps {
  tool: ToolContent;
  areaName: string;
}

/** A tool as people see it in the toolbox. */
export function ToolPreview({ tool, areaName }: ToolPreviewProps) {
  const { title, summary, type, minutes, format, levels, calculator, body_markdown } = tool;
  return (
    <div className="card mt-3 p-5 wrap-anywhere sm:p-6">
      <p className="eyebrow">{areaName}</p>
      <p className="mt-1 font-heading text-2xl">{title || 'Without a title'}</p>
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
          The calculator comes here.
        </p>
      )}
      <Markdown text={body_markdown} />
    </div>
  );
}
