import { useStore } from '@nanostores/react';
import type { DraftProblem, DraftQuestion } from '#data/quiz-versions.ts';
import { QUIZ_LIMITS, SCALE, WEIGHTS } from '#domain/quiz-version.ts';
import { Field } from '#ui/forms/Field.tsx';
import { Select } from '#ui/forms/Select.tsx';
import { TextArea } from '#ui/forms/TextArea.tsx';
import { SaveConflict } from '#ui/SaveConflict.tsx';
import { SaveNotice, SaveWords } from '#ui/SaveStatus.tsx';
import { useSavingStore } from '#ui/use-saving-store.ts';
import { fieldId } from './Checks.tsx';
import type { DraftStore, QuestionStore } from './draft-store.ts';

interface QuestionEditorProps {
  store: DraftStore;
  question: DraftQuestion;
  /** What keeps it from being published. */
  problems: readonly DraftProblem[];
}

const VALUES = [0, 1, 2, 3, 4] as const;

/** Writes one question of a draft; everything is saved as it's typed. */
export function QuestionEditor({ store, question, problems }: QuestionEditorProps) {
  const own = useSavingStore(() => store.editQuestion(question.key));
  const { value, status } = useStore(own.$field);
  const idOf = (field: string) => fieldId({ question_key: question.key, area_key: null }, field);
  /** An empty field says what it's for, so only what's written there can be wrong. */
  const errorOf = (field: string, text: string) =>
    text === '' ? undefined : problems.find((each) => each.field === field)?.problem;
  const short = (field: 'practice' | 'text' | 'help', label: string, hint: string) => (
    <Field
      id={idOf(field)}
      label={label}
      hint={hint}
      maxLength={QUIZ_LIMITS[field]}
      autoComplete="off"
      value={value[field]}
      error={errorOf(field, value[field])}
      onChange={(event) => own.change({ [field]: event.currentTarget.value })}
    />
  );
  return (
    <div className="flex flex-col gap-5 pt-2 pb-4">
      <p role="status" className="min-h-4 text-xs text-muted">
        <SaveWords status={status} />
      </p>
      {status?.name === 'conflict' ? (
        <SaveConflict name={status.theirs.updated_by_name} onChoose={own.choose}>
          <Theirs question={status.theirs} />
        </SaveConflict>
      ) : (
        <SaveNotice status={status} isTitled={false} />
      )}
      {short('practice', 'Practice', 'What results call it: “Findable and accurate online.”')}
      {short('text', 'Question', 'One observable practice, addressed to an owner.')}
      {short('help', 'Help (optional)', 'One line for readers who aren’t sure what it means.')}
      <fieldset className="flex flex-col gap-3">
        <legend className="mb-2 text-sm font-semibold">Answers</legend>
        {VALUES.map((place) => (
          <Field
            key={place}
            id={idOf(`anchor-${place}`)}
            label={`${place}: ${SCALE[place]}`}
            maxLength={QUIZ_LIMITS.anchor}
            autoComplete="off"
            value={value.anchors[place] ?? ''}
            error={errorOf(`anchor-${place}`, value.anchors[place] ?? '')}
            onChange={(event) =>
              own.change({ anchors: value.anchors.with(place, event.currentTarget.value) })
            }
          />
        ))}
      </fieldset>
      <MeaningChoice store={own} question={question} id={idOf('meaning')} />
      <Field
        as={Select}
        id={idOf('weight')}
        label="Weight"
        hint="How much it counts within its area. 1 is the rule; 2 if the rest is guesswork without it."
        options={[...new Set<number>([...WEIGHTS, value.weight])]
          .toSorted((a, b) => a - b)
          .map((weight) => ({ value: String(weight), label: String(weight) }))}
        value={String(value.weight)}
        onChange={(event) => own.change({ weight: Number(event.currentTarget.value) })}
      />
      <Field
        as={TextArea}
        id={idOf('action')}
        label="In the next 30 days"
        hint="What an owner does if this is their weakest practice, up to a result they can see."
        rows={4}
        maxLength={QUIZ_LIMITS.action}
        value={value.action}
        error={errorOf('action', value.action)}
        onChange={(event) => own.change({ action: event.currentTarget.value })}
      />
      <Facts question={question} />
    </div>
  );
}

const Facts = ({ question: { key, tool } }: { question: DraftQuestion }) => (
  <p className="text-xs text-muted">
    {tool ? `Results recommend “${tool}.”` : 'No published tool is for this practice yet.'} Its key
    is {key}, which doesn’t change.
  </p>
);

interface MeaningProps {
  store: QuestionStore;
  question: DraftQuestion;
  id: string;
}

/** Asks whether a question with other words still means the same as when it was last published. */
function MeaningChoice({ store, question, id }: MeaningProps) {
  const { value } = useStore(store.$field);
  const { before } = question;
  if (!before) {
    return (
      <p className="text-sm text-muted">
        No version has asked about this practice, so there’s nothing to compare it with.
      </p>
    );
  }
  const isSame =
    value.text.trim() === before.text &&
    before.anchors.every((anchor, place) => value.anchors[place]?.trim() === anchor);
  if (isSame) return null;
  const choices = [
    [
      'same',
      'Yes, it’s only worded better',
      'Results from earlier versions are compared with new ones.',
    ],
    [
      'new',
      'No, it asks something else',
      'Answers to it aren’t compared with earlier ones, and the area’s line in the trend starts over.',
    ],
  ] as const;
  return (
    <fieldset className="rounded-control border border-line bg-raised p-4">
      <legend className="float-left mb-1 text-sm font-semibold">
        Does it still mean the same as in version {before.number}?
      </legend>
      <p className="clear-both text-xs text-muted">
        It asked: “{before.text}” If an owner would answer differently now without having changed
        anything, it means something else.
      </p>
      <div className="mt-2 flex flex-col gap-1">
        {choices.map(([meaning, label, hint], place) => (
          <label key={meaning} className="flex min-h-11 items-start gap-3 py-2 text-sm">
            <input
              type="radio"
              name={id}
              id={place === 0 ? id : undefined}
              checked={value.meaning === meaning}
              onChange={() => {
                store.change({ meaning });
                store.flush();
              }}
              className="size-5 shrink-0 accent-primary"
            />
            <span>
              {label}
              <span className="block text-xs text-muted">{hint}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** Someone else's version of a question, to choose between it and one's own. */
const Theirs = ({ question }: { question: DraftQuestion }) => (
  <>
    <p className="text-xs text-muted">{question.practice}</p>
    <p className="font-semibold">{question.text}</p>
    <p className="text-muted">{question.help}</p>
    <ol start={0} className="mt-2 list-decimal pl-6">
      {question.anchors.map((anchor, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the answers are 0 to 4
        <li key={place}>{anchor}</li>
      ))}
    </ol>
    <p className="mt-2">
      Weight {question.weight}. {question.action}
    </p>
  </>
);
