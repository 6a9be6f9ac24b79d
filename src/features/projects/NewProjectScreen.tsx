import { useState } from 'react';
import { settleRecommendation } from '#data/coaching-actions.ts';
import { createProjectTask } from '#data/project-tasks.ts';
import { createProject, type ProjectInput } from '#data/projects.ts';
import { db } from '#lib/db.ts';
import { newId } from '#lib/new-id.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { reportError } from '#stores/session.ts';
import { Button } from '#ui/Button.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { TextArea } from '#ui/forms/TextArea.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';
import { Notice } from '#ui/Notice.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { useLeaveGuard, useUnsaved } from '#ui/use-unsaved.ts';
import { NotSaved } from './NotSaved.tsx';
import { ProjectFields } from './project/ProjectFields.tsx';
import { projectSchema } from './project/project-schema.ts';
import {
  firstSteps,
  projectDraft,
  type StartOptions,
  stepsIn,
  stepsProblem,
} from './project/project-start.ts';

interface NewProjectProps extends StartOptions {
  business: { id: string; name: string };
}

/** The steps that become tasks. A step keeps its id over retries, so it's created once. */
function useSteps(initial: string) {
  const [text, setText] = useState(initial);
  const [problem, setProblem] = useState<string | null>(null);
  const [ids] = useState<string[]>([]);
  const isChanged = text !== initial;
  useUnsaved(isChanged);
  return {
    text,
    problem,
    isChanged,
    change(next: string) {
      setText(next);
      setProblem(null);
    },
    refuse: setProblem,
    idOf(index: number): string {
      const id = ids[index] ?? newId();
      ids[index] = id;
      return id;
    },
  };
}

/** The form for a new project: blank, or prefilled with what the quiz or a coach recommends. */
function NewProjectScreen(props: NewProjectProps) {
  const { business, start, recommended } = props;
  const [id] = useState(newId);
  const steps = useSteps(firstSteps(start));
  const fields = useSchemaForm<ProjectInput>(
    projectSchema,
    async (input) => {
      const problem = stepsProblem(steps.text);
      if (problem) return steps.refuse(problem);
      const client = await db();
      await createProject(client, id, business.id, input);
      for (const [index, title] of stepsIn(steps.text).entries()) {
        await createProjectTask(client, id, { id: steps.idOf(index), title, dueOn: '' });
      }
      if (recommended) await settleRecommendation(client, recommended.id, 'taken', id);
      // Stay pending until the next page loads, so the form can't be submitted twice.
      location.assign(hrefFor('/dashboard/projects/[id]', { id }));
      await new Promise(() => {});
    },
    { defaults: projectDraft(props), guarded: true, onError: reportError },
  );
  const { submit, failure, pending } = fields;
  useLeaveGuard(steps.isChanged && !pending);
  return (
    <div className="max-w-2xl">
      <a className="link text-sm" href={hrefFor('/dashboard/projects')}>
        Projects
      </a>
      <h1 className="mt-3">New project</h1>
      <p className="mt-2 text-muted">
        For {business.name}. It starts as a draft, and all it needs for now is a title.
      </p>
      {recommended && (
        <Notice className="mt-6" title="From your coach">
          The title comes from what your coach recommends. Change anything you like.
        </Notice>
      )}
      {start.from && !recommended && (
        <Notice className="mt-6" title="From your quiz">
          The title, outcome, dates and steps come from the action we recommended. Change anything
          you like.
        </Notice>
      )}
      <form method="post" noValidate onSubmit={submit} className="mt-7 flex flex-col gap-6">
        <ProjectFields
          fields={fields}
          areas={start.areas}
          engagements={start.engagements}
          shared={false}
          timeZone={props.timeZone}
        />
        <Field
          label="Steps"
          optional
          as={TextArea}
          rows={4}
          hint="One per line. They become the project’s tasks."
          value={steps.text}
          error={steps.problem}
          onChange={(event) => steps.change(event.currentTarget.value)}
        />
        <NotSaved failure={failure} send={() => void submit()} />
        <div className="flex flex-wrap gap-3">
          <Button type="submit" pending={pending} needsScript>
            Create project
          </Button>
          <Button variant="quiet" href={hrefFor('/dashboard/projects')}>
            Cancel
          </Button>
        </div>
      </form>
    </div>
  );
}

export default screen(NewProjectScreen);
