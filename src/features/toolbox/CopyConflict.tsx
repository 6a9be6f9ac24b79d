import type { CopyState } from '#data/toolbox.ts';
import { Button } from '#ui/Button.tsx';
import { Markdown } from '#ui/Markdown.tsx';
import { Notice } from '#ui/Notice.tsx';

interface CopyConflictProps {
  theirs: CopyState;
  onChoose: (which: 'mine' | 'theirs') => void;
}

/** Shows both versions of a copy. Nothing is overwritten until the user chooses one. */
export function CopyConflict({ theirs, onChoose }: CopyConflictProps) {
  const name = theirs.updated_by_name ?? 'Someone else';
  return (
    <Notice
      tone="caution"
      live="assertive"
      className="mb-5 print:hidden"
      title={`${name} saved changes while you were typing`}
    >
      <p>Yours are below and aren’t saved yet. Choose which version to keep.</p>
      <details className="mt-3">
        <summary className="link">See their version</summary>
        <div className="mt-3 max-h-96 overflow-y-auto rounded-control border border-line bg-surface p-4">
          <p className="font-semibold">{theirs.title}</p>
          <Markdown text={theirs.body_markdown} />
        </div>
      </details>
      <div className="mt-4 flex flex-wrap gap-2">
        <Button size="small" onClick={() => onChoose('mine')}>
          Keep mine
        </Button>
        <Button size="small" variant="secondary" onClick={() => onChoose('theirs')}>
          Keep theirs
        </Button>
      </div>
    </Notice>
  );
}
