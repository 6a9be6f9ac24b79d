/** The text of a comparison. The database decides what improved; this only words it. */

import type { ChangedAnswer, ComparedAnswer, ComparedArea, Comparison } from '#data/skills.ts';
import { inEnglish, type Say } from '#domain/language.ts';
import { levelOf } from '#domain/level.ts';
import { numberText } from '#lib/locale/numbers.ts';
import type { SkillScore } from '#ui/charts/levels.ts';

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Names as a list: "a", "a and b", "a, b and c"; a last name with its own "and" gets a comma. */
export function listed(names: readonly string[], say: Say = inEnglish): string {
  if (names.length < 2) return names.join('');
  const last = names.at(-1) ?? '';
  const comma = names.length > 2 && last.includes(' and ') ? ',' : '';
  return `${names.slice(0, -1).join(', ')}${comma} ${say('and')} ${last}`;
}

/** The areas as petals, and the earlier outline; only for questions answered both times. */
export function comparedPetals({ areas }: Comparison): {
  petals: SkillScore[];
  earlier: { key: string; score: number | null }[];
} {
  return {
    petals: areas.map(({ area_key, name, short_name, later }) => ({
      key: area_key,
      label: name,
      short_label: short_name,
      score: later,
      level: later === null ? null : levelOf(later),
    })),
    earlier: areas.map(({ area_key, earlier }) => ({ key: area_key, score: earlier })),
  };
}

/** Whether there's an area that can be compared. */
export const isComparable = ({ areas }: Comparison): boolean =>
  areas.some(({ verdict }) => verdict !== 'not-compared');

/** Summarizes the comparison in sentences. */
export function summaryOf(comparison: Comparison, say: Say = inEnglish): string {
  const { areas, earlier, later } = comparison;
  if (!isComparable(comparison)) {
    return earlier.version_number === later.version_number
      ? say('Too few questions were answered both times to compare any area.')
      : say(
          'The first result is from version {first} of the quiz and the second from version {second}, which asks nearly everything differently. A higher or lower score doesn’t mean that anything changed, so they aren’t compared.',
          { first: earlier.version_number, second: later.version_number },
        );
  }
  const of = (verdict: ComparedArea['verdict']) =>
    areas.filter((each) => each.verdict === verdict).map(({ name }) => name.toLowerCase());
  const [up, down, steady, not] = [of('improved'), of('lower'), of('steady'), of('not-compared')];
  const sentences = [
    up.length > 0
      ? say('{up} of {all} areas improved: {areas}.', {
          up: capital(say(numberText(up.length))),
          all: say(numberText(areas.length)),
          areas: listed(up, say),
        })
      : say('No area improved by two answer steps or more.'),
    down.length > 0 && say('Lower than before: {areas}.', { areas: listed(down, say) }),
    steady.length > 0 &&
      (steady.length === 1
        ? say('One shows no clear change.')
        : say('{count} show no clear change.', {
            count: capital(say(numberText(steady.length))),
          })),
    not.length > 0 && say('Not compared: {areas}.', { areas: listed(not, say) }),
  ];
  return sentences.filter(Boolean).join(' ');
}

/** How far an area moved: "3 answer steps up, 50 to 69", or "Same answers, 50" if nothing changed. */
export function movedWords({ steps, earlier, later, changed }: ComparedArea): string | null {
  if (steps === null || earlier === null || later === null) return null;
  if (changed.length === 0) return `Same answers, ${Math.round(later)}`;
  const scores = `${Math.round(earlier)} to ${Math.round(later)}`;
  if (steps === 0) return `as many steps up as down, ${scores}`;
  const count = Math.abs(steps);
  return `${count} answer step${count === 1 ? '' : 's'} ${steps > 0 ? 'up' : 'down'}, ${scores}`;
}

/** Why an area isn't compared, or what's left out; null if all its questions are compared. */
export function limitWords({ asked, same, compared, verdict }: ComparedArea): string | null {
  const changed = asked - same;
  if (verdict === 'not-compared') {
    if (same === 1) return 'Only one of its questions still means the same, which is too few.';
    return same === 0
      ? 'Its questions have changed, so we can’t compare the two.'
      : 'Too few of its questions were answered both times.';
  }
  const parts = [
    changed > 0 &&
      `${changed === 1 ? 'one question has' : `${numberText(changed)} questions have`} changed`,
    same > compared &&
      `${same - compared === 1 ? 'one wasn’t' : `${numberText(same - compared)} weren’t`} answered both times`,
  ].filter(Boolean);
  return parts.length === 0
    ? null
    : `Based on ${numberText(compared)} of ${numberText(asked)} questions: ${parts.join(', ')}.`;
}

/** The text of an answer. */
export function answerWords({ value, applies, words }: ComparedAnswer): string {
  if (applies === false) return 'Doesn’t apply to us';
  if (value === null) return 'Not answered';
  return words ?? `${value} of 4`;
}

/** Which way an answer changed; null if the change doesn't count. */
export function directionOf({ counts, earlier, later }: ChangedAnswer): 'up' | 'down' | null {
  if (!counts || earlier.value === null || later.value === null) return null;
  return later.value > earlier.value ? 'up' : 'down';
}
