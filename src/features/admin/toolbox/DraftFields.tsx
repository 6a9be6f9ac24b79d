import { useStore } from '@nanostores/react';
import type { AdminTool } from '#data/admin-tools.ts';
import { type DraftField, TOOL_KIND_LABELS, TOOL_LIMITS } from '#domain/admin-tools.ts';
import { LEVEL_LABELS, LEVELS } from '#domain/level.ts';
import { TOOL_CALCULATORS, TOOL_KINDS } from '#domain/tool.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { Chips } from '#ui/forms/Chips.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { Select } from '#ui/forms/Select.tsx';
import { TextArea } from '#ui/forms/TextArea.tsx';
import { Notice } from '#ui/Notice.tsx';
import { enabledWhenReady } from '#ui/until-ready.ts';
import type { DraftStore } from './draft-store.ts';
import { MediaFields } from './MediaFields.tsx';
import type { MediaStore } from './media-store.ts';

const CALCULATOR_LABELS: Record<(typeof TOOL_CALCULATORS)[number], string> = {
  'break-even': 'Break-even',
  'cash-runway': 'Cash runway',
  price: 'Price',
};

interface DraftFieldsProps {
  tool: AdminTool;
  store: DraftStore;
  media: MediaStore;
  errorOf: (field: DraftField) => string | undefined;
}

/** What an admin writes of a tool. */
export function DraftFields({ tool, store, media, errorOf }: DraftFieldsProps) {
  const content = useStore(store.$content);
  return (
    <>
      <Field
        label="Title"
        maxLength={TOOL_LIMITS.title}
        value={content.title}
        error={errorOf('title')}
        {...enabledWhenReady()}
        onChange={(event) => store.change({ title: event.currentTarget.value })}
      />
      {tool.state === 'draft' && (
        <Field
          label="Address"
          hint="The last part of its address, which stays the same from then on. Leave it empty to use the words of the title."
          optional
          maxLength={TOOL_LIMITS.slug}
          value={content.slug}
          error={errorOf('slug')}
          {...enabledWhenReady()}
          onChange={(event) => store.change({ slug: event.currentTarget.value })}
        />
      )}
      <Field
        label="Summary"
        hint="What people end up with, in a sentence."
        as={TextArea}
        rows={2}
        maxLength={TOOL_LIMITS.summary}
        value={content.summary}
        error={errorOf('summary')}
        {...enabledWhenReady()}
        onChange={(event) => store.change({ summary: event.currentTarget.value })}
      />
      <Purpose tool={tool} store={store} />
      <Facts store={store} errorOf={errorOf} />
      <Field
        label="Text"
        hint="In Markdown: ## for a heading, - for a list, - [ ] for a checkbox, | a | table |, [words](/toolbox) for a link."
        as={TextArea}
        rows={24}
        className="[&>textarea]:max-h-none [&>textarea]:min-h-96"
        maxLength={TOOL_LIMITS.body}
        value={content.body_markdown}
        error={errorOf('body_markdown')}
        {...enabledWhenReady()}
        onChange={(event) => store.change({ body_markdown: event.currentTarget.value })}
      />
      <MediaFields {...{ store, media, errorOf }} />
    </>
  );
}

/** The skill and the practice that it's for. */
function Purpose({ tool, store }: Pick<DraftFieldsProps, 'tool' | 'store'>) {
  const content = useStore(store.$content);
  const practices = tool.areas.find(({ key }) => key === content.area_key)?.practices ?? [];
  const others = tool.taken.filter(({ practice }) => practice === content.practice);
  return (
    <>
      <div className="grid items-end gap-4 sm:grid-cols-2">
        <Field
          label="Skill"
          as={Select}
          options={tool.areas.map(({ key, name }) => ({ value: key, label: name }))}
          value={content.area_key}
          {...enabledWhenReady()}
          onChange={(event) => store.chooseArea(event.currentTarget.value)}
        />
        <Field
          label="Practice"
          as={Select}
          placeholder="None in particular"
          options={practices.map(({ key, name }) => ({ value: key, label: name }))}
          value={content.practice ?? ''}
          {...enabledWhenReady()}
          onChange={(event) => store.change({ practice: event.currentTarget.value || null })}
        />
      </div>
      {others.length > 0 && (
        <Notice title="Another tool is for this practice, too">
          <ul>
            {others.map(({ id, title }) => (
              <li key={id}>
                <a className="link" href={hrefFor('/admin/toolbox/[id]', { id })}>
                  {title}
                </a>
              </li>
            ))}
          </ul>
          <p className="mt-1">
            Results recommend the one for the owner’s level; of several, the shortest.
          </p>
        </Notice>
      )}
    </>
  );
}

/** Its kind, how long it takes, and who it's for. */
function Facts({ store, errorOf }: Pick<DraftFieldsProps, 'store' | 'errorOf'>) {
  const content = useStore(store.$content);
  return (
    <>
      <div className="grid items-end gap-4 sm:grid-cols-2">
        <Field
          label="Kind"
          as={Select}
          options={TOOL_KINDS.map((value) => ({ value, label: TOOL_KIND_LABELS[value] }))}
          value={content.type}
          {...enabledWhenReady()}
          onChange={(event) => {
            const type = TOOL_KINDS.find((each) => each === event.currentTarget.value);
            if (type) store.change({ type });
          }}
        />
        <Field
          label="Minutes"
          hint="To work through it once."
          inputMode="numeric"
          value={content.minutes ?? ''}
          error={errorOf('minutes')}
          {...enabledWhenReady()}
          onChange={(event) => {
            const digits = event.currentTarget.value.replace(/\D/g, '').slice(0, 3);
            store.change({ minutes: Number(digits) || null });
          }}
        />
        <Field
          label="Format"
          hint="Such as “Table with a worked example”."
          maxLength={TOOL_LIMITS.format}
          value={content.format}
          error={errorOf('format')}
          {...enabledWhenReady()}
          onChange={(event) => store.change({ format: event.currentTarget.value })}
        />
        <Field
          label="Calculator"
          as={Select}
          placeholder="None"
          options={TOOL_CALCULATORS.map((value) => ({ value, label: CALCULATOR_LABELS[value] }))}
          value={content.calculator ?? ''}
          {...enabledWhenReady()}
          onChange={(event) =>
            store.change({
              calculator:
                TOOL_CALCULATORS.find((each) => each === event.currentTarget.value) ?? null,
            })
          }
        />
      </div>
      <Chips
        legend="For levels"
        options={LEVELS.map((level) => [level, LEVEL_LABELS[level]] as const)}
        chosen={LEVELS.filter((level) => content.levels.includes(level))}
        error={errorOf('levels')}
        {...enabledWhenReady()}
        onChoose={store.toggleLevel}
      />
    </>
  );
}
