import { useState } from 'react';
import { type AdminTool, editTool } from '#data/admin-tools.ts';
import { db } from '#lib/db.ts';
import { dayText } from '#lib/locale/dates.ts';
import { Button } from '#ui/Button.tsx';
import { Section } from '#ui/Section.tsx';
import { useOpenedPart } from '#ui/use-part.ts';

interface VersionsProps {
  tool: AdminTool;
  timeZone: string;
  onChange: (tool: AdminTool) => void;
}

const loadDialog = () => import('./VersionDialog.tsx');

/** The published versions of a tool, to read, compare and bring back. */
export function Versions({ tool, timeZone, onChange }: VersionsProps) {
  const [opened, setOpened] = useState<number | null>(null);
  const close = () => setOpened(null);
  const part = useOpenedPart(loadDialog, opened !== null, close);
  const canBringBack = tool.state === 'published' && !tool.draft;
  if (tool.versions.length === 0) return null;
  return (
    <Section id="versions" title="Versions">
      <ol className="card mt-3 divide-y divide-line">
        {tool.versions.map(({ version, change, published_at, from_content, by }) => (
          <li key={version} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3">
            <div className="min-w-0 grow basis-60">
              <p className="font-semibold">
                Version {version}
                {version === tool.version && tool.state === 'published' && (
                  <span className="font-normal text-muted">, what people see now</span>
                )}
              </p>
              {change && <p className="text-sm wrap-anywhere">{change}</p>}
              <p className="text-xs text-muted">
                {dayText(published_at, timeZone)}
                {from_content ? ', came with the site' : by ? ` by ${by}` : ''}
              </p>
            </div>
            <Button
              size="small"
              variant="secondary"
              needsScript
              aria-label={`${version === tool.version ? 'Read' : 'Compare'} version ${version}`}
              onClick={() => setOpened(version)}
            >
              {version === tool.version ? 'Read' : 'Compare'}
            </Button>
          </li>
        ))}
      </ol>
      {opened !== null && part && (
        <part.VersionDialog
          tool={tool}
          version={opened}
          onBringBack={
            canBringBack
              ? async () => onChange(await editTool(await db(), tool.id, opened))
              : undefined
          }
          onClose={close}
        />
      )}
    </Section>
  );
}
