import { useState } from 'react';
import { createProject, type ProjectInput, type ProjectStart } from '#data/projects.ts';
import { addDays, dayText } from '#lib/dates.ts';
import { db } from '#lib/door.ts';
import { newId } from '#lib/new-id.ts';
import { hrefFor } from '#lib/routes.ts';
import { heardFailure } from '#stores/session.ts';
import { Button } from '#ui/Button.tsx';
import { Notice } from '#ui/Notice.tsx';
import { useSchemaForm } from '#ui/use-schema-form.ts';
import { NotSaved } from './NotSaved.tsx';
import { ProjectFields } from './ProjectFields.tsx';
import { projectSchema } from './project-schema.ts';

interface NewProjectProps {
  business: { id: string; name: string };
  start: ProjectStart;
  /** The area of the address, where no action came with it. */
  area: string;
  /** The day where the reader is: `2026-11-21`. */
  today: string;
  timeZone: string;
}

/** Days in which the action of a recommendation is meant to be done. */
const ACTION_DAYS = 30;

/** What the form begins with: the action that led here, or nothing. */
function beginning({ start, area, today, timeZone }: Omit<NewProjectProps, 'business'>) {
  const { from, areas, engagements } = start;
  // What has no beginning is left out, and keeps what was typed before the scripts ran.
  const blank: Partial<ProjectInput> = {
    ...(areas.some(({ key }) => key === area) ? { areaKey: area } : {}),
    ...(engagements.length === 0 ? { engagementId: '' } : {}),
  };
  if (!from) return blank;
  const areaName = areas.find(({ key }) => key === from.area_key)?.name ?? from.area_key;
  const score = from.score;
  return {
    ...blank,
    title: titleOf(from),
    areaKey: from.area_key,
    ...(score && {
      baseline: `${areaName} scored ${Math.round(score.score)} of 100 on ${dayText(score.on, timeZone)}.`,
    }),
    startOn: today,
    dueOn: addDays(today, ACTION_DAYS),
  };
}

const TITLE_MAX = 160;

/** The action where it is short enough for a title, or its first sentence, or what it is about. */
function titleOf({ action, practice }: { action: string; practice: string }): string {
  const sentence = /^.*?[.;](?= |$)/.exec(action)?.[0] ?? action;
  const fits = [action, sentence].find((words) => words.length <= TITLE_MAX);
  return (fits ?? practice).replace(/[.;]$/, '');
}

/** A new project, blank or from what a quiz recommended. It begins as a draft. */
export default function NewProjectScreen(props: NewProjectProps) {
  const { business, start } = props;
  const [id] = useState(newId);
  const fields = useSchemaForm<ProjectInput>(
    projectSchema,
    async (input) => {
      try {
        await createProject(await db(), id, business.id, input);
      } catch (thrown) {
        throw heardFailure(thrown);
      }
      // Until the next page is there the form stays as it is, so that nothing is sent twice.
      location.assign(hrefFor('/dashboard/projects/[id]', { id }));
      await new Promise(() => {});
    },
    { defaults: beginning(props), guarded: true },
  );
  const { submit, failure, pending, ready } = fields;
  return (
    <div className="max-w-2xl">
      <a className="link text-sm" href={hrefFor('/dashboard/projects')}>
        Projects
      </a>
      <h1 className="mt-3">New project</h1>
      <p className="mt-2 text-muted">
        For {business.name}. It begins as a draft; a title is enough for now.
      </p>
      {start.from && (
        <Notice className="mt-6" title="From your quiz">
          The weakest practice there: {lower(start.from.practice)}. In the next 30 days:{' '}
          {start.from.action}
        </Notice>
      )}
      <form method="post" noValidate onSubmit={submit} className="mt-7 flex flex-col gap-6">
        <ProjectFields
          fields={fields}
          areas={start.areas}
          engagements={start.engagements}
          shared={false}
        />
        <NotSaved failure={failure} send={() => void submit()} />
        <div className="flex flex-wrap gap-3">
          <Button type="submit" pending={pending} disabled={!ready}>
            Create project
          </Button>
          <Button variant="quiet" href={hrefFor('/dashboard/projects')}>
            Back
          </Button>
        </div>
      </form>
    </div>
  );
}

const lower = (text: string) => text.charAt(0).toLowerCase() + text.slice(1).replace(/\.$/, '');
