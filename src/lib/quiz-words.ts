/** The quiz as it is written in `content/quiz`, in the shape in which the database gives it. */
import type { CollectionEntry } from 'astro:content';

/** The newest written version with only the questions of the first look. Throws without a version. */
export function firstLookOf(
  versions: CollectionEntry<'quiz'>[],
  words: CollectionEntry<'areas'>[],
) {
  const newest = versions.map(({ data }) => data).toSorted((a, b) => b.number - a.number)[0];
  if (!newest) throw new Error('There is no version of the quiz in content/quiz.');
  const importance = new Map(newest.areas.map((area) => [area.key, area.importance]));
  return {
    id: newest.id,
    number: newest.number,
    title: newest.title,
    areas: words
      .map(({ data: { key, name, short_name, position } }) => ({
        key,
        name,
        short_name,
        position,
        importance: importance.get(key) ?? 1,
      }))
      .toSorted((a, b) => a.position - b.position),
    questions: newest.questions.flatMap((question, index) => {
      if (!question.first_look) return [];
      const { key, area, practice, text, help, anchors, weight, action } = question;
      return [
        {
          key,
          area_key: area,
          practice,
          position: index + 1,
          text,
          help: help ?? null,
          anchors: anchors as [string, string, string, string, string],
          weight,
          action,
          first_look: true,
        },
      ];
    }),
  };
}
