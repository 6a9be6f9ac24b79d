import { LEVEL_LABELS } from '#domain/level.ts';
import { Bloom, type BloomProps } from '../Bloom.tsx';
import { LEFT_OUT, NOT_ENOUGH, scoreText } from '../levels.ts';
import { Reader } from '../Reader.tsx';
import type { Named } from './series.ts';

/** A Bloom to read petal by petal. */
export function LiveBloom({ title, ...chart }: BloomProps & Named) {
  const { petals, earlier } = chart;
  const textOf = (place: number) => {
    const petal = petals[place];
    if (!petal) return '';
    const before = earlier?.find(({ key }) => key === petal.key)?.score;
    const now = petal.level
      ? `${scoreText(petal.score)}, ${LEVEL_LABELS[petal.level]}`
      : (petal.left_out ? LEFT_OUT : NOT_ENOUGH).toLowerCase();
    return `${petal.label}: ${now}${before == null ? '' : `; before ${scoreText(before)}`}`;
  };
  return (
    <Reader label={title} count={petals.length} along="x" textOf={textOf}>
      {(active) => <Bloom {...chart} active={active} />}
    </Reader>
  );
}
