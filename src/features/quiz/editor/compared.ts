import type { QuizQuestion, QuizVersion } from '#data/quiz.ts';
import type { EditedVersion } from '#data/quiz-versions.ts';
import type { ComparedVersion } from '#domain/quiz-version.ts';

const shownAnchors = (anchors: readonly string[]): QuizQuestion['anchors'] => {
  const shown = (value: number) => anchors[value] || `No answer for ${value} yet`;
  return [shown(0), shown(1), shown(2), shown(3), shown(4)];
};

const skipOf = (area: EditedVersion['settings']['areas'][number] | undefined) =>
  area?.skip_question ? { question: area.skip_question, help: area.skip_help || null } : null;

/** A version as the quiz takes it, from how it's edited. */
export function takenFrom({ id, number, settings, areas, questions }: EditedVersion): QuizVersion {
  const of = (key: string) => settings.areas.find((each) => each.key === key);
  return {
    id,
    number,
    title: settings.title,
    areas: areas.map((area) => ({
      ...area,
      importance: of(area.key)?.importance ?? 1,
      skip: skipOf(of(area.key)),
    })),
    questions: questions.map((question, index) => ({
      key: question.key,
      area_key: question.area_key,
      practice: question.practice,
      text: question.text || 'No question yet',
      help: question.help || null,
      position: index + 1,
      anchors: shownAnchors(question.anchors),
      weight: question.weight,
      action: question.action,
      first_look: of(question.area_key)?.first_look === question.key,
    })),
  };
}

/** A version as it's edited, ready to be compared. */
export const comparedDraft = (version: EditedVersion): ComparedVersion => ({
  title: version.settings.title,
  areas: version.settings.areas.map((area) => ({
    ...area,
    skip: skipOf(area),
    name: version.areas.find(({ key }) => key === area.key)?.name ?? area.key,
  })),
  questions: version.questions.map((question) => ({
    ...question,
    meaning: question.before ? question.meaning : null,
  })),
});

/** The version it was drafted from, ready to be compared. */
export const comparedVersion = ({ title, areas, questions }: QuizVersion): ComparedVersion => ({
  title,
  areas: areas.map(({ key, name, importance, skip }) => ({
    key,
    name,
    importance,
    skip,
    first_look: questions.find((each) => each.area_key === key && each.first_look)?.key ?? null,
  })),
  questions,
});
