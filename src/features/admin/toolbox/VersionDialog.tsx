import { useEffect, useState } from 'react';
import { type AdminTool, getToolVersion } from '#data/admin-tools.ts';
import type { ToolVersion } from '#data/toolbox.ts';
import { compareLines, mediaText, TOOL_KIND_LABELS } from '#domain/admin-tools.ts';
import { levelsLabel } from '#domain/tool.ts';
import { db } from '#lib/db.ts';
import type { AppError } from '#lib/errors.ts';
import { reportError } from '#stores/session.ts';
import { Button } from '#ui/Button.tsx';
import { classNames } from '#ui/class-names.ts';
import { DialogWindow } from '#ui/DialogWindow.tsx';
import { Failure } from '#ui/Failure.tsx';
import { useAction } from '#ui/use-action.ts';

interface VersionDialogProps {
  tool: AdminTool;
  version: number;
  /** Makes this version the draft of the next one; undefined if there's a draft already. */
  onBringBack: (() => Promise<void>) | undefined;
  onClose: () => void;
}

type Content = Omit<ToolVersion, 'id'>;

/** What people read of a version, as lines. */
function textOf(content: NonNullable<AdminTool['content']> | Content, tool: AdminTool): string {
  const area = tool.areas.find(({ key }) => key === content.area_key);
  const practice = area?.practices.find(({ key }) => key === content.practice);
  const facts = [
    ['Title', content.title],
    ['Summary', content.summary],
    ['Skill', area?.name ?? content.area_key],
    ['Practice', practice?.name ?? content.practice ?? 'None in particular'],
    ['Kind', TOOL_KIND_LABELS[content.type]],
    ['Minutes', String(content.minutes ?? 'None')],
    ['Format', content.format],
    ['Levels', levelsLabel(content.levels)],
    ['Calculator', content.calculator ?? 'None'],
  ];
  const lines = facts.map(([name, value]) => `${name}: ${value}`);
  return [lines.join('\n'), content.body_markdown, mediaText(content)].filter(Boolean).join('\n\n');
}

const MARKS = { same: ' ', removed: '−', added: '+' } as const;
const NAMES = { same: '', removed: 'Removed: ', added: 'Added: ' } as const;
const LOOKS = {
  same: 'border-transparent',
  removed: 'border-danger bg-danger-soft',
  added: 'border-primary bg-primary-soft',
} as const;

/** A version of a tool, compared with what people see now. */
export function VersionDialog({ tool, version, onBringBack, onClose }: VersionDialogProps) {
  const { found, failure } = useVersion(tool.id, version);
  const restoring = useAction(reportError);
  const isCurrent = version === tool.version;
  const lines =
    found && tool.content ? compareLines(textOf(found, tool), textOf(tool.content, tool)) : [];
  const bringBack = () =>
    void restoring.run(async () => {
      await onBringBack?.();
      onClose();
    });
  return (
    <DialogWindow
      open
      onOpenChange={onClose}
      title={
        isCurrent
          ? `Version ${version}`
          : `Version ${version}, compared with version ${tool.version}`
      }
      description={
        isCurrent ? 'What people see now.' : 'What’s different in the version that people see now.'
      }
      className="sm:w-[min(56rem,calc(100vw-2rem))]"
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Close
          </Button>
          {!isCurrent && onBringBack && (
            <Button pending={restoring.pending} onClick={bringBack}>
              Restore it as a draft
            </Button>
          )}
        </>
      }
    >
      <Failure failure={failure ?? restoring.failure} />
      {!found && !failure && <p className="text-sm text-muted">Loading…</p>}
      {found && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
        <div
          role="group"
          aria-label="Lines"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a frame that scrolls must be reachable without a mouse
          tabIndex={0}
          className="max-h-[50dvh] overflow-y-auto rounded-control border border-line"
        >
          <ol className="font-mono text-xs">
            {lines.map(({ kind, text }, index) => (
              <li
                // biome-ignore lint/suspicious/noArrayIndexKey: its place is all that a line has
                key={index}
                className={classNames(
                  'flex gap-2 border-l-4 px-3 py-0.5 whitespace-pre-wrap wrap-anywhere',
                  LOOKS[kind],
                )}
              >
                <span aria-hidden="true" className="w-3 shrink-0 text-center">
                  {MARKS[kind]}
                </span>
                <span className="min-w-0">
                  <span className="sr-only">{NAMES[kind]}</span>
                  {text}
                </span>
              </li>
            ))}
          </ol>
        </div>
      )}
    </DialogWindow>
  );
}

function useVersion(id: string, version: number) {
  const [found, setFound] = useState<ToolVersion | null>(null);
  const [failure, setFailure] = useState<AppError | null>(null);
  useEffect(() => {
    let isOver = false;
    const read = async () => {
      try {
        const answer = await getToolVersion(await db(), id, version);
        if (!isOver) setFound(answer);
      } catch (thrown) {
        if (!isOver) setFailure(reportError(thrown));
      }
    };
    void read();
    return () => {
      isOver = true;
    };
  }, [id, version]);
  return { found, failure };
}
