import type { ProjectChoices, ProjectInput } from '#data/projects.ts';
import { Button } from '#ui/Button.tsx';
import { Notice } from '#ui/Notice.tsx';
import { inputOf, type ProjectConflict } from './project-store.ts';

interface ConflictProps extends ProjectChoices {
  conflict: ProjectConflict;
  /** Puts what the other one wrote into the form. */
  onTake: (field: keyof ProjectInput, value: string) => void;
}

const LABELS: Record<keyof ProjectInput, string> = {
  title: 'Title',
  areaKey: 'Skill',
  outcome: 'Outcome',
  baseline: 'Baseline',
  startOn: 'Start',
  dueOn: 'Due',
  engagementId: 'Coaching',
};

/** Two people changed the same fields: what the other one saved, beside what stands in the form. */
export function ConflictNotice({ conflict, areas, engagements, onTake }: ConflictProps) {
  const theirs = inputOf(conflict.theirs);
  const words = (field: keyof ProjectInput, value: string) => {
    if (field === 'areaKey') return areas.find(({ key }) => key === value)?.name ?? value;
    if (field === 'engagementId') return engagements.find(({ id }) => id === value)?.coach ?? value;
    return value;
  };
  return (
    <Notice
      tone="caution"
      live="assertive"
      title={`${conflict.theirs.saved_by ?? 'Somebody else'} saved this while you were editing`}
    >
      <p>Yours is still in the form, and nothing is overwritten until you say so.</p>
      <dl className="mt-3 flex flex-col gap-3">
        {conflict.fields.map((field) => (
          <div key={field}>
            <dt className="font-semibold">{LABELS[field]}, as they saved it</dt>
            <dd className="mt-0.5 whitespace-pre-line wrap-anywhere">
              {words(field, theirs[field]) || '(empty)'}
            </dd>
            <dd className="mt-1">
              <Button size="small" variant="secondary" onClick={() => onTake(field, theirs[field])}>
                Use theirs<span className="sr-only"> for {LABELS[field]}</span>
              </Button>
            </dd>
          </div>
        ))}
      </dl>
    </Notice>
  );
}
