import { useState } from 'react';
import * as v from 'valibot';
import { type ListedAnyProject, listAllProjects } from '#data/admin-projects.ts';
import type { WrikeFolder, WrikeOverview } from '#data/wrike.ts';
import { allProjectsFilter } from '#domain/admin-projects.ts';
import { STATUS_LABELS } from '#domain/project.ts';
import { WRIKE_STATUS_LABELS } from '#domain/wrike.ts';
import { db } from '#lib/db.ts';
import { newId } from '#lib/new-id.ts';
import { Failure } from '#ui/Failure.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { FormDialog } from '#ui/forms/FormDialog.tsx';
import { RadioList } from '#ui/forms/RadioList.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';
import { useSearch } from '../use-search.ts';

interface MirrorDialogProps {
  folder: WrikeFolder;
  statuses: WrikeOverview['statuses'];
  /** Throws an AppError, which the dialog shows. */
  onMirror: (id: string, projectId: string) => Promise<void>;
  onClose: () => void;
}

const input = v.object({
  project: v.pipe(v.string(), v.minLength(1, 'Choose a project.')),
});
const MOST_FOUND = 8;

async function search(words: string): Promise<readonly ListedAnyProject[]> {
  const filter = { ...allProjectsFilter.read(new URLSearchParams('status=all')), words };
  const { rows } = await listAllProjects(await db(), filter, MOST_FOUND);
  return rows.filter(({ business }) => !business.archived);
}

const labelOf = ({ title, business, status }: ListedAnyProject) =>
  `${title} (${business.name}; ${STATUS_LABELS[status].toLowerCase()})`;

/** Finds the project to mirror in a folder, and says what's sent of it. */
export function MirrorDialog({ folder, statuses, onMirror, onClose }: MirrorDialogProps) {
  const [id] = useState(newId);
  const { words, setWords, found, shown, choose } = useSearch(search);
  const fields = useSchemaForm<{ project: string }>(
    input,
    async ({ project }) => {
      await onMirror(id, project);
      onClose();
    },
    { guarded: true, defaults: { project: '' } },
  );
  const choice = fields.form.register('project');
  return (
    <FormDialog
      title={`Mirror a project in ${folder.title}`}
      description="Its title, outcome, baseline, dates and status go to Wrike, and its tasks with their due dates. Updates, notes, files and messages never do. It goes one way: what’s changed in Wrike doesn’t come back. The business sees on the project’s page that it’s mirrored."
      action="Mirror it"
      fields={fields}
      onClose={onClose}
    >
      <Field
        label="Find the project"
        hint="By its title or the business’s name."
        type="search"
        maxLength={100}
        autoComplete="off"
        value={words}
        onChange={({ target }: { target: HTMLInputElement }) => setWords(target.value)}
      />
      <Failure failure={found.failure} onRetry={found.retry} />
      {shown.length > 0 ? (
        <RadioList
          legend="Project"
          options={shown.map((each) => [each.id, labelOf(each)])}
          error={fields.errorOf('project')}
          {...choice}
          onChange={(event) => {
            choose(event.target.value);
            return choice.onChange(event);
          }}
        />
      ) : (
        <p role="status" className="text-sm text-muted">
          {words.trim() === '' ? null : found.answer ? 'No project matches.' : 'Searching…'}
        </p>
      )}
      <details className="text-sm">
        <summary className="cursor-pointer py-2 font-semibold">
          What each status is in Wrike
        </summary>
        <dl className="mt-1 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
          {statuses.map(({ status, wrike }) => (
            <div key={status} className="contents">
              <dt className="text-muted">{STATUS_LABELS[status]}</dt>
              <dd>{WRIKE_STATUS_LABELS[wrike] ?? wrike}</dd>
            </div>
          ))}
        </dl>
      </details>
      <Failure failure={fields.failure} />
    </FormDialog>
  );
}
