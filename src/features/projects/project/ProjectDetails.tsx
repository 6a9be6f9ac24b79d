import { useStore } from '@nanostores/react';
import { type ReactNode, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Project, ProjectChoices } from '#data/projects.ts';
import { isOpenStatus } from '#domain/project.ts';
import { nearDayText } from '#lib/locale/dates.ts';
import { Button } from '#ui/Button.tsx';
import { DueMark } from '#ui/project-marks.tsx';
import { Still } from '#ui/Still.tsx';
import { useOpenedPart } from '#ui/use-part.ts';
import type { ProjectStore } from './project-store.ts';

const loadEditForm = () => import('./EditForm.tsx');

export interface DetailsProps extends ProjectChoices {
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
  const form = useOpenedPart(loadEditForm, edited !== null, () => setEdited(null));
  const isEditing = edited !== null && form !== null;
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
        {mayEdit && !isEditing && (
          <Button
            ref={opener}
            variant="quiet"
            size="small"
            className="-mr-2"
            needsScript
            onClick={() => setEdited(project)}
            // A form that arrives late would take the focus from where it is now.
            onBlur={() => setEdited(null)}
          >
            Edit
          </Button>
        )}
      </div>
      {isEditing ? (
        <form.EditForm {...props} base={edited} onClose={close} />
      ) : (
        <Still
          as="dl"
          of={[project, areas, engagements]}
          className="mt-4 grid grid-cols-2 gap-4 text-sm"
        >
          {() => (
            <>
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
            </>
          )}
        </Still>
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
