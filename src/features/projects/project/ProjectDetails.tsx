import { useStore } from '@nanostores/react';
import { type ReactNode, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Project, ProjectChoices, ProjectInput } from '#data/projects.ts';
import { isOpenStatus } from '#domain/project.ts';
import { nearDayText } from '#lib/locale/dates.ts';
import { Button } from '#ui/Button.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';
import { Notice } from '#ui/Notice.tsx';
import { DueMark } from '../marks.tsx';
import { NotSaved } from '../NotSaved.tsx';
import { ProjectFields } from './ProjectFields.tsx';
import { projectSchema } from './project-schema.ts';
import { inputOf, type ProjectConflict, type ProjectStore } from './project-store.ts';

interface DetailsProps extends ProjectChoices {
  store: ProjectStore;
  mayEdit: boolean;
  /** Whether the user may edit only outcome, baseline and dates. */
  shared: boolean;
  today: string;
  timeZone: string;
}

/** The project's details, editable in place. */
export function ProjectDetails(props: DetailsProps) {
  const { store, mayEdit, areas, engagements, today } = props;
  const project = useStore(store.$project, { ssr: 'initial' });
  const [edited, setEdited] = useState<Project | null>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const close = () => {
    // `flushSync` puts the button back on the page, so it can take the focus again.
    flushSync(() => setEdited(null));
    opener.current?.focus();
  };
  const coach = engagements.find(({ id }) => id === project.engagement_id)?.coach;
  return (
    <section aria-labelledby="about" className="card p-5 md:p-6">
      <div className="flex items-center justify-between gap-3">
        <h2 id="about" className="text-lg">
          About this project
        </h2>
        {mayEdit && !edited && (
          <Button
            ref={opener}
            variant="quiet"
            size="small"
            className="-mr-2"
            needsScript
            onClick={() => setEdited(project)}
          >
            Edit
          </Button>
        )}
      </div>
      {edited ? (
        <EditForm {...props} base={edited} onClose={close} />
      ) : (
        <dl className="mt-4 grid grid-cols-2 gap-4 text-sm">
          <Fact label="Outcome" empty="Not set. How will you know it worked?">
            {project.outcome}
          </Fact>
          <Fact label="Baseline" empty="Not measured yet.">
            {project.baseline}
          </Fact>
          <Fact narrow label="Start" empty="No date">
            {project.start_on && nearDayText(project.start_on, today)}
          </Fact>
          <Fact narrow label="Due" empty="No date">
            {project.due_on && (
              <DueMark
                labeled
                due={project.due_on}
                today={today}
                open={isOpenStatus(project.status)}
              />
            )}
          </Fact>
          <Fact label="Skill" empty="None">
            {areas.find(({ key }) => key === project.area_key)?.name}
          </Fact>
          {coach && <Fact label="Coach">{coach}</Fact>}
        </dl>
      )}
    </section>
  );
}

interface FactProps {
  label: string;
  /** Shown while the value is unknown. */
  empty?: string;
  /** Whether it takes half the width. */
  narrow?: boolean;
  children: ReactNode;
}

function Fact({ label, empty, narrow = false, children }: FactProps) {
  return (
    <div className={narrow ? '' : 'col-span-2'}>
      <dt className="text-xs text-muted">{label}</dt>
      <dd className="mt-0.5 whitespace-pre-line wrap-anywhere">
        {children || <span className="text-muted">{empty}</span>}
      </dd>
    </div>
  );
}

interface EditProps extends DetailsProps {
  base: Project;
  onClose: () => void;
}

function EditForm({ store, base, areas, engagements, shared, timeZone, onClose }: EditProps) {
  const conflict = useStore(store.$conflict, { ssr: 'initial' });
  const fields = useSchemaForm<ProjectInput>(
    projectSchema,
    async (input) => {
      const saved = conflict ? await store.settle(input) : await store.save(input, base);
      if (saved) {
        onClose();
        return;
      }
      // Put fields that only the other person changed into the form, so saving doesn't undo them.
      const found = store.$conflict.get();
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
            store.takeTheirs();
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
