import { useStore } from '@nanostores/react';
import { type ReactNode, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Project, ProjectChoices, ProjectInput } from '#data/projects.ts';
import { isOpenStatus } from '#domain/project.ts';
import { nearDayText } from '#lib/dates.ts';
import { Button } from '#ui/Button.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';
import { useReady } from '#ui/use-ready.ts';
import { NotSaved } from '../NotSaved.tsx';
import { DueMark } from '../tasks/DueMark.tsx';
import { ConflictNotice } from './ConflictNotice.tsx';
import { ProjectFields } from './ProjectFields.tsx';
import { projectSchema } from './project-schema.ts';
import { inputOf, type ProjectStore } from './project-store.ts';

interface DetailsProps extends ProjectChoices {
  store: ProjectStore;
  mayEdit: boolean;
  /** Only outcome, baseline and dates. */
  shared: boolean;
  today: string;
  timeZone: string;
}

/** What the project is about: read, and edited in its place. */
export function ProjectDetails(props: DetailsProps) {
  const { store, mayEdit, areas, engagements, today } = props;
  const project = useStore(store.$project, { ssr: 'initial' });
  const [edited, setEdited] = useState<Project | null>(null);
  const ready = useReady();
  const opener = useRef<HTMLButtonElement>(null);
  const close = () => {
    // The button is on the page again before this returns, and takes the focus back.
    flushSync(() => setEdited(null));
    opener.current?.focus();
  };
  const coach = engagements.find(({ id }) => id === project.engagement_id)?.coach;
  return (
    <section aria-labelledby="about" className="card p-5 md:p-6">
      <div className="flex items-center justify-between gap-3">
        <h2 id="about" className="text-lg">
          What it is about
        </h2>
        {mayEdit && !edited && (
          <Button
            ref={opener}
            variant="quiet"
            size="small"
            className="-mr-2"
            disabled={!ready}
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
          <Fact label="Outcome" empty="Not said yet. How will you know that it worked?">
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
              <DueMark due={project.due_on} today={today} open={isOpenStatus(project.status)} />
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
  /** What stands there while it is not known. */
  empty?: string;
  /** Half the width. */
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
  /** The state that is edited. */
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
      // What only the other one changed goes into the form: saving mine takes nothing of it away.
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
