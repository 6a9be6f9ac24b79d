/** Versions of the quiz as admins edit them: states, limits, and what differs between two. */

export const QUIZ_VERSION_STATES = ['draft', 'published', 'retired'] as const;
export type QuizVersionState = (typeof QUIZ_VERSION_STATES)[number];

/** What an admin sees of a version. */
export const QUIZ_VIEWS = ['questions', 'changes', 'preview', 'statistics'] as const;
export type QuizView = (typeof QUIZ_VIEWS)[number];

/** The view that a page's address asks for; a draft has no statistics. */
export function quizViewOf(param: string | null, state: QuizVersionState): QuizView {
  const view = QUIZ_VIEWS.find((each) => each === param) ?? 'questions';
  return state === 'draft' && view === 'statistics' ? 'questions' : view;
}

/** The longest texts of a version, in characters. `private.quiz_problems` checks the same. */
export const QUIZ_LIMITS = {
  title: 80,
  practice: 48,
  text: 90,
  help: 130,
  anchor: 90,
  action: 300,
} as const;

/** What the answers 0 to 4 stand for in every question; each writes its own words. */
export const SCALE = [
  'not done',
  'once, or only when forced',
  'regularly, but unwritten',
  'regularly and written',
  'also measured and improved',
] as const;

/** How much a question counts within its area. */
export const WEIGHTS = [1, 1.25, 1.5, 1.75, 2] as const;

/** How much an area counts when recommendations are chosen. */
export const IMPORTANCE_LABELS = { 1: 'Counts once', 2: 'Counts twice', 3: 'Counts three times' };

/** Whether a question with other words still means the same; null if nobody has said. */
export type Meaning = 'same' | 'new' | null;

interface ComparedQuestion {
  key: string;
  area_key: string;
  practice: string;
  text: string;
  help: string | null;
  anchors: readonly string[];
  weight: number;
  action: string;
  /** Whether it asks something else than the version before. */
  meaning?: Meaning;
}

export interface ComparedVersion {
  title: string;
  areas: readonly {
    key: string;
    name: string;
    importance: number;
    /** The key of its question in the first look. */
    first_look: string | null;
    /** The yes-or-no question that skips it. */
    skip: { question: string; help: string | null } | null;
  }[];
  /** In order. */
  questions: readonly ComparedQuestion[];
}

/** What was, and what is; null where there's nothing. */
export interface FieldChange {
  label: string;
  before: string | null;
  after: string | null;
}

export interface QuizChange {
  /** The id of what changed: a question's or an area's key, or `title`. */
  key: string;
  kind: 'added' | 'removed' | 'changed';
  /** The area's name; null for the title. */
  area: string | null;
  /** The practice, or what else changed. */
  name: string;
  fields: FieldChange[];
}

type Labeled = readonly (readonly [label: string, value: string | null])[];

const fieldsOf = (question: ComparedQuestion): Labeled => [
  ['Practice', question.practice],
  ['Question', question.text],
  ['Help', question.help || null],
  ...question.anchors.map((anchor, value): [string, string] => [`Answer ${value}`, anchor]),
  ['Weight', String(question.weight)],
  ['In the next 30 days', question.action],
];

/** The fields whose values differ; the same labels in the same order in both. */
const differing = (before: Labeled, after: Labeled): FieldChange[] =>
  after.flatMap(([label, now], index) => {
    const was = before[index]?.[1] ?? null;
    return was === now ? [] : [{ label, before: was, after: now }];
  });

const nothing = (fields: Labeled): Labeled => fields.map(([label]) => [label, null]);

function questionChanges(
  area: string,
  was: readonly ComparedQuestion[],
  is: readonly ComparedQuestion[],
): QuizChange[] {
  const changes = is.flatMap((question): QuizChange[] => {
    const before = was.find(({ key }) => key === question.key);
    const fields = fieldsOf(question);
    const change = { key: question.key, area, name: question.practice || 'A new question' };
    if (!before) {
      return [{ ...change, kind: 'added', fields: differing(nothing(fields), fields) }];
    }
    const found = differing(fieldsOf(before), fields);
    if (question.meaning === 'new') {
      found.push({
        label: 'Meaning',
        before: 'as before',
        after: 'new: earlier answers aren’t compared',
      });
    }
    return found.length === 0 ? [] : [{ ...change, kind: 'changed', fields: found }];
  });
  const removed = was
    .filter(({ key }) => !is.some((each) => each.key === key))
    .map((question): QuizChange => {
      const fields = fieldsOf(question);
      return {
        key: question.key,
        kind: 'removed',
        area,
        name: question.practice,
        fields: differing(fields, nothing(fields)).slice(0, 2),
      };
    });
  return [...changes, ...removed];
}

/** What differs between two versions, in the order of the quiz. */
export function changesBetween(before: ComparedVersion, after: ComparedVersion): QuizChange[] {
  const title = differing([['Title', before.title]], [['Title', after.title]]);
  const changes: QuizChange[] =
    title.length === 0
      ? []
      : [{ key: 'title', kind: 'changed', area: null, name: 'The quiz', fields: title }];
  for (const area of after.areas) {
    const old = before.areas.find(({ key }) => key === area.key);
    const of = ({ questions }: ComparedVersion) =>
      questions.filter(({ area_key }) => area_key === area.key);
    const [was, is] = [of(before), of(after)];
    const practiceOf = (key: string | null | undefined) =>
      [...is, ...was].find((each) => each.key === key)?.practice ?? null;
    const settings = (each: typeof area | undefined): Labeled => [
      ['Importance', each ? String(each.importance) : null],
      ['In the first look', practiceOf(each?.first_look)],
      ['Question that skips it', each?.skip?.question ?? null],
      ['Its help', each?.skip?.help ?? null],
    ];
    const fields = differing(settings(old), settings(area));
    const kept = (some: typeof is, others: typeof is) =>
      some.filter(({ key }) => others.some((each) => each.key === key));
    const order = (some: typeof is) => some.map(({ key }) => practiceOf(key)).join(', ');
    fields.push(...differing([['Order', order(kept(was, is))]], [['Order', order(kept(is, was))]]));
    if (fields.length > 0) {
      changes.push({
        key: area.key,
        kind: 'changed',
        area: area.name,
        name: 'The whole area',
        fields,
      });
    }
    changes.push(...questionChanges(area.name, was, is));
  }
  return changes;
}

const counted = (count: number, what: string) =>
  count === 0 ? [] : [`${count} ${count === 1 ? 'question' : 'questions'} ${what}`];

/** "1 question added, 2 questions changed", or "Only the title or areas changed". */
export function changesSummary(changes: readonly QuizChange[]): string {
  const questions = changes.filter(({ key }) => key.includes('.'));
  const count = (kind: QuizChange['kind']) => questions.filter((each) => each.kind === kind).length;
  const parts = [
    ...counted(count('added'), 'added'),
    ...counted(count('changed'), 'changed'),
    ...counted(count('removed'), 'removed'),
  ];
  if (changes.length > questions.length) parts.push('the title or an area’s settings changed');
  const text = parts.join(', ');
  return text === '' ? 'Nothing changed' : text.charAt(0).toUpperCase() + text.slice(1);
}
