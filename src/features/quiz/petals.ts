import type { QuizVersion } from '#data/quiz.ts';
import type { Say } from '#domain/language.ts';
import type { Scored } from '#domain/scoring.ts';
import type { SkillScore } from '#ui/charts/levels.ts';

/** The bloom's petals: the score of each area, in the order of the quiz. */
export function petalsOf(version: QuizVersion, scored: Scored): SkillScore[] {
  return version.areas
    .toSorted((a, b) => a.position - b.position)
    .map((area) => {
      const found = scored.scores.find(({ area_key }) => area_key === area.key);
      return {
        key: area.key,
        label: area.name,
        short_label: area.short_name,
        score: found?.score ?? null,
        level: found?.level ?? null,
        left_out: found?.applicable === 0,
      };
    });
}

/** The result in a sentence: the strongest skill, and the one to work on first; null without any. */
export function sentenceOf(version: QuizVersion, scored: Scored, say: Say): string | null {
  const nameOf = (key?: string) => version.areas.find((area) => area.key === key)?.name;
  const rated = scored.scores.filter(({ score }) => score !== null);
  const [best] = rated.toSorted((a, b) => (b.score ?? 0) - (a.score ?? 0));
  const strongest = nameOf(best?.area_key);
  const first = nameOf(scored.recommendations[0]?.area_key);
  if (!first || !strongest) return null;
  return first === strongest
    ? say('{area} is the skill to work on first.', { area: first })
    : say('Your strongest skill is {strongest}, and the one to work on first is {first}.', {
        strongest,
        first,
      });
}
