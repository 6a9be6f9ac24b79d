import { useStore } from '@nanostores/react';
import { useState } from 'react';
import type { Project, ProjectChoices, ProjectInput } from '#data/projects.ts';
import { Button } from '#ui/Button.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';
import { Notice } from '#ui/Notice.tsx';
import { NotSaved } from '../NotSaved.tsx';
import type { DetailsProps } from './ProjectDetails.tsx';
import { ProjectFields } from './ProjectFields.tsx';
import { createEdits, inputOf, type ProjectConflict } from './project-edits.ts';
import { projectSchema } from './project-schema.ts';

interface EditProps extends DetailsProps {
  base: Project;
  onClose: () => void;
}

/** The form that edits a project's details. */
export function EditForm({
  store,
  base,
  areas,
  engagements,
  shared,
  timeZone,
  onClose,
}: EditProps) {
  const [edits] = useState(() => createEdits(store));
  const conflict = useStore(edits.$conflict, { ssr: 'initial' });
  const fields = useSchemaForm<ProjectInput>(
    projectSchema,
    async (input) => {
      const saved = conflict ? await edits.settle(input) : await edits.save(input, base);
      if (saved) {
        onClose();
        return;
      }
      // Put fields that only the other person changed into the form, so saving doesn't undo them.
      const found = edits.$conflict.get();
      for (const [field, value] of Object.entries(found?.mine ?? {})) {
        if (value !== input[field as keyof ProjectInput]) {
          form.setValue(field as keyof ProjectInput, value, { shouldDirty: true });
        }
      }
    },
    { defaults: inputOf(base), guarded: true },
  );
  const { form, submit, failure, pending } = fields;
  return (
    <form method="post" noValidate onSubmit={submit} className="mt-5 flex flex-col gap-6">
      {conflict && (
        <ConflictNotice
          conflict={conflict}
          areas={areas}
          engagements={engagements}
          onTake={(field, value) =>
            form.setValue(field, value, { shouldDirty: true, shouldValidate: true })
          }
        />
      )}
      <ProjectFields
        fields={fields}
        areas={areas}
        engagements={engagements}
        shared={shared}
        timeZone={timeZone}
        autoFocus
      />
      <NotSaved failure={failure} send={() => void submit()} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" pending={pending}>
          {conflict ? 'Save mine' : 'Save'}
        </Button>
        <Button
          variant="secondary"
          onClick={() => {
            edits.takeTheirs();
            onClose();
          }}
        >
          {conflict ? 'Keep theirs' : 'Cancel'}
        </Button>
      </div>
    </form>
  );
}

interface ConflictProps extends ProjectChoices {
  conflict: ProjectConflict;
  /** Puts the other person's value into the form. */
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

/** Shown when two people changed the same fields: the other person's values, above the form. */
function ConflictNotice({ conflict, areas, engagements, onTake }: ConflictProps) {
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
      title={`${conflict.theirs.saved_by ?? 'Someone else'} saved this while you were editing`}
    >
      <p>Yours is still in the form, and we won’t overwrite anything until you choose.</p>
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
