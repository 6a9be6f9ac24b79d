import type { ReactNode } from 'react';
import { Button } from './Button.tsx';
import { Notice } from './Notice.tsx';

interface SaveConflictProps {
  /** Who saved the other version, if that's known. */
  name: string | null;
  onChoose: (which: 'mine' | 'theirs') => void;
  /** The other version. */
  children: ReactNode;
}

/** Shows both versions of a text. Nothing is overwritten until the user chooses one. */
export function SaveConflict({ name, onChoose, children }: SaveConflictProps) {
  return (
    <Notice
      tone="caution"
      live="assertive"
      className="mb-5 print:hidden"
      title={`${name ?? 'Someone else'} saved changes while you were typing`}
    >
      <p>Yours are below and aren’t saved yet. Choose which version to keep.</p>
      <details className="mt-3">
        <summary className="link">See their version</summary>
        <div className="mt-3 max-h-96 overflow-y-auto rounded-control border border-line bg-surface p-4">
          {children}
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
