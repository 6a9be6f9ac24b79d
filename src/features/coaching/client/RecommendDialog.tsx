import { useState } from 'react';
import * as v from 'valibot';
import { createCoachRecommendation } from '#data/coaching-actions.ts';
import { listToolbox, type ToolSummary } from '#data/toolbox.ts';
import { RECOMMENDATION_KINDS, SESSION_LENGTHS } from '#domain/session.ts';
import { kindLabel, toolFilter } from '#domain/tool.ts';
import { db } from '#lib/db.ts';
import { idsByWords } from '#lib/new-id.ts';
import { textUpTo } from '#lib/schemas/fields.ts';
import { reportError } from '#stores/session.ts';
import { Failure } from '#ui/Failure.tsx';
import { Chips } from '#ui/forms/Chips.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { FormDialog } from '#ui/forms/FormDialog.tsx';
import { RadioCard } from '#ui/forms/RadioCard.tsx';
import { Select } from '#ui/forms/Select.tsx';
import { TextArea } from '#ui/forms/TextArea.tsx';
import { type SchemaForm, useSchemaForm } from '#ui/forms/use-schema-form.ts';
import { useAnswer } from '#ui/use-answer.ts';
import { type DialogDeps, nameOf } from './dialog-deps.ts';

const schema = v.pipe(
  v.object({
    kind: v.picklist(RECOMMENDATION_KINDS),
    tool: v.string(),
    title: textUpTo(SESSION_LENGTHS.recommendationTitle),
    area: v.string(),
    note: textUpTo(SESSION_LENGTHS.recommendationNote),
  }),
  v.forward(
    v.check(({ kind, tool }) => kind !== 'tool' || tool !== '', 'Choose a tool.'),
    ['tool'],
  ),
  v.forward(
    v.check(({ kind, title }) => kind !== 'project' || title !== '', 'Give the project a title.'),
    ['title'],
  ),
);
type Input = v.InferOutput<typeof schema>;

/** Recommends a tool from the toolbox, or a project to start, with a note. */
export function RecommendDialog({ client, take, onDone, onClose }: DialogDeps) {
  const [idOf] = useState(idsByWords);
  const [area = ''] = client.areas;
  const fields = useSchemaForm<Input>(
    schema,
    async (input) => {
      const isTool = input.kind === 'tool';
      await take((db) =>
        createCoachRecommendation(db, {
          id: idOf(input),
          engagementId: client.id,
          kind: input.kind,
          toolSlug: isTool ? input.tool : null,
          title: isTool ? null : input.title,
          areaKey: isTool ? null : input.area || null,
          note: input.note,
        }),
      );
      onDone('Recommended.');
    },
    { defaults: { kind: 'tool', tool: '', title: '', area, note: '' } },
  );
  const { form, field } = fields;
  const kind = form.watch('kind');
  const areas = client.skill_areas.map(({ key, name }) => ({ value: key, label: name }));
  return (
    <FormDialog
      fields={fields}
      firm={form.formState.isDirty}
      title="Recommend something"
      description={`${nameOf(client)} gets a notification and decides.`}
      action="Recommend it"
      onClose={onClose}
    >
      <Chips
        legend="What"
        isLegendHidden
        options={[
          ['tool', 'A tool'],
          ['project', 'A project'],
        ]}
        chosen={kind}
        onChoose={(next) => form.setValue('kind', next, { shouldDirty: true })}
      />
      {kind === 'tool' ? (
        <ToolChoice
          areas={areas}
          area={form.watch('area')}
          chosen={form.watch('tool')}
          error={fields.errorOf('tool')}
          onArea={(next) => form.setValue('area', next)}
          onChoose={(slug) =>
            form.setValue('tool', slug, { shouldDirty: true, shouldValidate: true })
          }
        />
      ) : (
        <ProjectFields fields={fields} areas={areas} />
      )}
      <Field label="Note" optional as={TextArea} rows={2} {...field('note')} />
      <Failure failure={fields.failure} title="Not saved" />
    </FormDialog>
  );
}

interface ProjectProps {
  fields: SchemaForm<Input>;
  areas: { value: string; label: string }[];
}

const ProjectFields = ({ fields: { field }, areas }: ProjectProps) => (
  <>
    <Field
      label="Title"
      hint="One outcome, such as “Know the margin of our ten best sellers”."
      {...field('title')}
    />
    <Field
      label="Skill"
      optional
      as={Select}
      placeholder="None"
      options={areas}
      {...field('area')}
    />
  </>
);

interface ChoiceProps {
  areas: { value: string; label: string }[];
  area: string;
  chosen: string;
  error: string | undefined;
  onArea: (area: string) => void;
  onChoose: (slug: string) => void;
}

/** How many tools are shown at once. */
const SHOWN = 8;

/** Tools of an area, narrowed by words. */
function ToolChoice({ areas, area, chosen, error, onArea, onChoose }: ChoiceProps) {
  const [query, setQuery] = useState('');
  const filter = { ...toolFilter.read(new URLSearchParams()), query, area: area || null };
  const { answer, failure, retry } = useAnswer(
    async () => (await listToolbox(await db(), filter, null)).items.slice(0, SHOWN),
    reportError,
    [query, area],
  );
  return (
    <div className="flex flex-col gap-3">
      <div className="grid gap-3 sm:grid-cols-2">
        <Field
          label="Skill"
          as={Select}
          placeholder="All"
          options={areas}
          value={area}
          onChange={({ target }: { target: HTMLSelectElement }) => onArea(target.value)}
        />
        <Field
          label="Search"
          type="search"
          value={query}
          onChange={({ target }: { target: HTMLInputElement }) => setQuery(target.value)}
        />
      </div>
      <Failure failure={failure} onRetry={retry} title="We couldn’t load the tools" />
      <fieldset className="flex max-h-72 flex-col gap-2 overflow-y-auto p-1 -m-1">
        <legend className="sr-only">Tool</legend>
        {answer?.map((tool) => (
          <ToolCard
            key={tool.slug}
            tool={tool}
            isChosen={chosen === tool.slug}
            onChoose={onChoose}
          />
        ))}
        {answer?.length === 0 && <p className="text-sm text-muted">No tools match.</p>}
      </fieldset>
      {error && (
        <p role="alert" className="text-xs font-medium text-danger">
          {error}
        </p>
      )}
    </div>
  );
}

interface CardProps {
  tool: ToolSummary;
  isChosen: boolean;
  onChoose: (slug: string) => void;
}

const ToolCard = ({ tool, isChosen, onChoose }: CardProps) => (
  <RadioCard name="tool" checked={isChosen} onChange={() => onChoose(tool.slug)}>
    <span className="block text-sm font-semibold">{tool.title}</span>
    <span className="block text-xs text-muted">{kindLabel(tool)}</span>
  </RadioCard>
);
