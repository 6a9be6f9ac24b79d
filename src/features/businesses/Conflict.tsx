import { Button } from '#ui/Button.tsx';

interface ConflictProps {
  /** The field's label, for screen readers. */
  label: string;
  theirs: { value: string; by: string };
  /** As displayed: for a select, the option's label, not its value. */
  mine: string;
  /** Whether the user can keep both, one below the other. */
  both: boolean;
  onChoose: (which: 'mine' | 'theirs' | 'both') => void;
}

/** Two versions of one field, side by side. Nothing is overwritten until the user chooses. */
export function Conflict({ label, theirs, mine, both, onChoose }: ConflictProps) {
  return (
    <div
      role="alert"
      aria-label={`${label}: two versions`}
      className="mt-2 flex flex-col gap-3 rounded-control bg-caution-soft p-3"
    >
      <p className="text-sm">
        <strong>{theirs.by}</strong> changed this while you were typing. Which version do you want
        to keep?
      </p>
      <div className="grid gap-2 sm:grid-cols-2">
        <Version title={`${theirs.by}’s version`} text={theirs.value} />
        <Version title="Your version" text={mine} />
      </div>
      <div className="flex flex-wrap gap-2">
        <Button size="small" onClick={() => onChoose('mine')}>
          Keep mine<span className="sr-only"> in {label}</span>
        </Button>
        <Button size="small" variant="secondary" onClick={() => onChoose('theirs')}>
          Keep theirs<span className="sr-only"> in {label}</span>
        </Button>
        {both && (
          <Button size="small" variant="secondary" onClick={() => onChoose('both')}>
            Keep both<span className="sr-only"> in {label}</span>
          </Button>
        )}
      </div>
    </div>
  );
}

function Version({ title, text }: { title: string; text: string }) {
  return (
    <div className="min-w-0 rounded-control border border-line bg-surface p-3">
      <p className="text-xs font-semibold text-muted">{title}</p>
      <p className="mt-1 text-sm whitespace-pre-line [overflow-wrap:anywhere]">
        {text || <span className="text-muted">(empty)</span>}
      </p>
    </div>
  );
}
