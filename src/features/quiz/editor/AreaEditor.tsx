import { useStore } from '@nanostores/react';
import { Ellipsis } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { DraftQuestion, EditedVersion } from '#data/quiz-versions.ts';
import { IMPORTANCE_LABELS, QUIZ_LIMITS } from '#domain/quiz-version.ts';
import { reportError } from '#stores/session.ts';
import { Button } from '#ui/Button.tsx';
import { Confirm, type Question } from '#ui/Confirm.tsx';
import { classNames } from '#ui/class-names.ts';
import { Field } from '#ui/forms/Field.tsx';
import { Select } from '#ui/forms/Select.tsx';
import { IconButton } from '#ui/IconButton.tsx';
import { Menu } from '#ui/Menu.tsx';
import { type DragListProps, PlainList } from '#ui/PlainList.tsx';
import { Section } from '#ui/Section.tsx';
import { enabledWhenReady } from '#ui/until-ready.ts';
import { useDrag } from '#ui/use-drag.tsx';
import { useOpenedPart } from '#ui/use-part.ts';
import { fieldId } from './Checks.tsx';
import type { DraftStore } from './draft-store.ts';
import { QuestionEditor } from './QuestionEditor.tsx';

interface AreaEditorProps {
  store: DraftStore;
  draft: EditedVersion;
  area: EditedVersion['areas'][number];
}

const loadDrag = () => import('#ui/DragList.tsx');
const loadAddDialog = () => import('./AddDialog.tsx');

/** An area of a draft: how it counts, and its questions in order. */
export function AreaEditor({ store, draft, area }: AreaEditorProps) {
  const open = useStore(store.$open, { ssr: 'initial' });
  const { Frame, around } = useDrag<DragListProps>(PlainList, loadDrag);
  const [question, setQuestion] = useState<Question | null>(null);
  const [isAdding, setAdding] = useState(false);
  const add = useOpenedPart(loadAddDialog, isAdding, () => setAdding(false));
  const own = draft.questions.filter(({ area_key }) => area_key === area.key);
  const askToRemove = ({ key, practice }: DraftQuestion) =>
    setQuestion({
      title: `Remove “${practice || 'this question'}”?`,
      text: 'It’s removed from this draft for all admins. Versions that were published keep it, and you can add it again with the words it was last published with.',
      yes: 'Remove it',
      danger: true,
      act: () => store.remove(key),
    });
  return (
    <Section id={`area-${area.key}`} title={area.name} className="card p-5 md:p-6">
      <AreaSettings {...{ store, draft, area, own }} />
      <div {...around} className="mt-4 border-t border-line">
        <Frame
          items={own.map(({ key, practice }) => ({ id: key, title: practice || 'New question' }))}
          noun="question"
          onDrop={(key, place) => void store.move(key, place)}
          row={(key, handle) => {
            const place = own.findIndex((each) => each.key === key);
            const found = own[place];
            if (!found) return null;
            return (
              <QuestionRow
                {...{ store, draft, handle, place }}
                question={found}
                isOpen={open === key}
                last={own.length - 1}
                onRemove={() => askToRemove(found)}
              />
            );
          }}
        />
      </div>
      <Button
        id={fieldId({ question_key: null, area_key: area.key }, 'questions')}
        size="small"
        variant="secondary"
        needsScript
        className="mt-4"
        onClick={() => setAdding(true)}
      >
        Add a question
        <span className="sr-only"> about {area.name.toLowerCase()}</span>
      </Button>
      {isAdding && add && (
        <add.AddDialog
          area={area}
          practices={(draft.practices ?? []).filter(({ area_key }) => area_key === area.key)}
          onAdd={(about) => store.add(area.key, about)}
          onClose={() => setAdding(false)}
        />
      )}
      <Confirm question={question} onClose={() => setQuestion(null)} onError={reportError} />
    </Section>
  );
}

/** How an area counts, and which of its questions is in the first look. */
function AreaSettings({ store, draft, area, own }: AreaEditorProps & { own: DraftQuestion[] }) {
  const settings = draft.settings.areas.find(({ key }) => key === area.key);
  const idOf = (field: string) => fieldId({ question_key: null, area_key: area.key }, field);
  return (
    <div className="mt-3 grid gap-4 sm:grid-cols-2">
      <Field
        as={Select}
        id={idOf('importance')}
        label="Importance"
        hint="In choosing recommendations"
        options={Object.entries(IMPORTANCE_LABELS).map(([value, label]) => ({ value, label }))}
        value={String(settings?.importance ?? 1)}
        {...enabledWhenReady()}
        onChange={(event) =>
          store.changeArea(area.key, { importance: Number(event.currentTarget.value) })
        }
      />
      <Field
        as={Select}
        id={idOf('first_look')}
        label="In the first look"
        hint="Its one question there"
        placeholder="None yet"
        options={own.map(({ key, practice }) => ({
          value: key,
          label: practice || 'New question',
        }))}
        value={settings?.first_look ?? ''}
        {...enabledWhenReady()}
        onChange={(event) =>
          store.changeArea(area.key, { first_look: event.currentTarget.value || null })
        }
      />
      <Field
        id={idOf('skip_question')}
        label="Question that skips the area"
        hint="Yes or no. People who answer no aren’t asked the others."
        optional
        autoComplete="off"
        maxLength={QUIZ_LIMITS.text}
        value={settings?.skip_question ?? ''}
        {...enabledWhenReady()}
        onChange={(event) =>
          store.changeArea(area.key, { skip_question: event.currentTarget.value })
        }
      />
      <Field
        id={idOf('skip_help')}
        label="Its help"
        hint="One line for readers who aren’t sure"
        optional
        autoComplete="off"
        maxLength={QUIZ_LIMITS.help}
        value={settings?.skip_help ?? ''}
        {...enabledWhenReady({ disabled: !settings?.skip_question })}
        onChange={(event) => store.changeArea(area.key, { skip_help: event.currentTarget.value })}
      />
    </div>
  );
}

interface RowProps {
  store: DraftStore;
  draft: EditedVersion;
  question: DraftQuestion;
  handle: ReactNode;
  place: number;
  /** The place of the area's last question. */
  last: number;
  isOpen: boolean;
  onRemove: () => void;
}

/** A question in the list, which opens to be edited in place. */
function QuestionRow(props: RowProps) {
  const { store, draft, question, handle, place, last, isOpen, onRemove } = props;
  const { key, practice, text } = question;
  const problems = (draft.checks?.problems ?? []).filter((each) => each.question_key === key);
  const isFirstLook = draft.settings.areas.some(({ first_look }) => first_look === key);
  const name = practice || 'New question';
  const item = (id: string, label: string, onSelect: () => void) => ({ key: id, label, onSelect });
  return (
    <div className="bg-surface">
      <div className="flex items-start gap-1 py-2">
        {handle}
        <button
          type="button"
          {...enabledWhenReady()}
          aria-expanded={isOpen}
          onClick={() => store.$open.set(isOpen ? null : key)}
          className="min-h-11 min-w-0 grow rounded-small px-2 py-1 text-left hover:bg-raised"
        >
          <span
            className={classNames(
              'block text-sm font-semibold wrap-anywhere',
              !practice && 'text-muted',
            )}
          >
            {name}
          </span>
          <span className="block text-sm text-muted wrap-anywhere">
            {text || 'No question yet'}
          </span>
          {(isFirstLook || problems.length > 0) && (
            <span className="mt-0.5 flex flex-wrap gap-x-3 text-xs">
              {isFirstLook && <span className="text-primary">In the first look</span>}
              {problems.length > 0 && (
                <span className="text-danger">
                  {problems.length} {problems.length === 1 ? 'thing' : 'things'} to fix
                </span>
              )}
            </span>
          )}
        </button>
        <Menu
          label={`Actions for ${name}`}
          trigger={
            <IconButton
              label={`More actions for ${name}`}
              tip="More"
              className="-mr-2 grid size-9 shrink-0 place-items-center rounded-small text-muted hover:bg-raised hover:text-ink pointer-coarse:size-11"
            >
              <Ellipsis className="size-4" aria-hidden="true" />
            </IconButton>
          }
          groups={[
            [
              {
                ...item('up', 'Move up', () => void store.move(key, place - 1)),
                disabled: place === 0,
              },
              {
                ...item('down', 'Move down', () => void store.move(key, place + 1)),
                disabled: place === last,
              },
            ],
            [{ ...item('remove', 'Remove…', onRemove), danger: true }],
          ]}
        />
      </div>
      {isOpen && <QuestionEditor store={store} question={question} problems={problems} />}
    </div>
  );
}
