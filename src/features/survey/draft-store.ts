/** Unsent survey answers, stored only in this browser, one draft per survey. */
import { atom } from 'nanostores';
import * as v from 'valibot';
import type { Survey } from '#data/survey.ts';
import { onStored, readStored, writeStored } from '#lib/browser/stored.ts';
import { newId } from '#lib/new-id.ts';

const rating = (least: number, most: number) =>
  v.nullable(v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most)));

const draftOf = ({ statements, comments }: Survey) =>
  v.object({
    /** The response's id, created once, so that retries don't store the response twice. */
    id: v.string(),
    agreement: v.pipe(v.array(rating(1, 5)), v.length(statements.length)),
    recommend: rating(0, 10),
    comments: v.pipe(v.array(v.string()), v.length(comments.length)),
  });
export type SurveyDraft = v.InferOutput<ReturnType<typeof draftOf>>;

const keyOf = ({ id }: Survey) => `trellis-survey:${id}`;
const readDraft = (survey: Survey) => readStored(keyOf(survey), draftOf(survey));

const emptyDraft = ({ statements, comments }: Survey): SurveyDraft => ({
  id: newId(),
  agreement: statements.map(() => null),
  recommend: null,
  comments: comments.map(() => ''),
});

/** Creates the draft store of a survey. `changed` is called after each change by the user. */
export function createDraftStore(prerendered: Survey, changed: () => void) {
  /** The prerendered questions, or newer ones if the user hadn't answered any yet. */
  const $survey = atom(prerendered);
  const $draft = atom(emptyDraft(prerendered));

  function change(part: Partial<SurveyDraft>) {
    const draft = { ...$draft.get(), ...part };
    $draft.set(draft);
    // If the browser blocks storage, the draft lasts only as long as its tab.
    writeStored(keyOf($survey.get()), draft);
    changed();
  }

  return {
    $survey,
    $draft,
    /** A `value` of null removes the answer. */
    agree: (statement: number, value: number | null) =>
      change({ agreement: $draft.get().agreement.with(statement, value) }),
    recommend: (recommend: number | null) => change({ recommend }),
    comment: (question: number, text: string) =>
      change({ comments: $draft.get().comments.with(question, text) }),
    /** Loads the draft stored in this browser, and returns whether there was one. */
    load(): boolean {
      const saved = readDraft($survey.get());
      if (saved) $draft.set(saved);
      return saved !== null;
    },
    /** Takes over what the form had before the scripts, by the names of its fields. */
    adopt(form: FormData): void {
      const { agreement, recommend, comments } = $draft.get();
      const numberIn = (name: string) => (form.get(name) ? Number(form.get(name)) : null);
      const adopted = {
        agreement: agreement.map((value, place) => numberIn(`statement-${place}`) ?? value),
        recommend: numberIn('recommend') ?? recommend,
        comments: comments.map((text, place) => String(form.get(`comment-${place}`) || text)),
      };
      if (`${agreement},${recommend},${comments}` !== `${Object.values(adopted)}`) change(adopted);
    },
    /** Switches to newer questions, with the draft of them stored in this browser, if any. */
    replaceSurvey(survey: Survey): void {
      $survey.set(survey);
      $draft.set(readDraft(survey) ?? emptyDraft(survey));
    },
    /** Deletes the draft from this browser, once it's sent. */
    forget: () => writeStored(keyOf($survey.get()), null),
    /** Runs the callback when another tab changes or sends the draft. Returns the cleanup. */
    onStored: (callback: () => void) => onStored(() => keyOf($survey.get()), callback),
  };
}
