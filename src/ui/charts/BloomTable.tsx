import type { ReactNode } from 'react';
import { LEVEL_LABELS } from '#domain/level.ts';
import { classNames } from '../class-names.ts';
import { useSay } from '../InLanguage.tsx';
import {
  LEFT_OUT,
  levelFill,
  levelText,
  NOT_ENOUGH,
  type SkillScore,
  scoreText,
} from './levels.ts';

export interface BloomTableProps {
  petals: readonly SkillScore[];
  /** Scores from before: with them, the table shows what changed instead of the levels. */
  earlier?: readonly { key: string; score: number | null }[];
  /** A column before the scores. */
  extra?: { title: string; of: (key: string) => ReactNode };
  /** The table's caption, for screen readers only. */
  caption: string;
  /** The link of an area's name, if it has one. */
  hrefOf?: (key: string) => string | undefined;
  className?: string;
}

/** A level's name and color, with a dot that matches the petal; or why there's no level. */
export function LevelWord({ level, left_out }: Pick<SkillScore, 'level' | 'left_out'>) {
  const say = useSay();
  if (level === null) {
    return <span className="text-xs text-muted">{say(left_out ? LEFT_OUT : NOT_ENOUGH)}</span>;
  }
  return (
    <span
      className={classNames(
        'inline-flex items-center gap-1.5 text-xs font-semibold',
        levelText[level],
      )}
    >
      <svg viewBox="0 0 10 10" className="size-2.5" aria-hidden="true">
        <path d="M0 10C0 4 4 0 10 0C10 6 6 10 0 10Z" className={levelFill[level]} />
      </svg>
      {say(LEVEL_LABELS[level])}
    </span>
  );
}

/** The difference between the two scores as shown: "+19", "−3", "0". */
function changeText(earlier: number | null, later: number | null): string {
  if (earlier === null || later === null) return scoreText(null);
  const change = Math.round(later) - Math.round(earlier);
  return change > 0 ? `+${change}` : String(change).replace('-', '−');
}

/** The bloom in words and numbers. */
export function BloomTable({
  petals,
  earlier,
  extra,
  caption,
  hrefOf,
  className,
}: BloomTableProps) {
  const say = useSay();
  const before = new Map(earlier?.map(({ key, score }) => [key, score]));
  // Four columns don't fit on a phone, where the level is under the name instead.
  const isWide = extra !== undefined;
  const wide = isWide && 'max-sm:hidden';
  return (
    <table className={classNames('rows w-full text-left text-sm', className)}>
      <caption className="sr-only">{caption}</caption>
      <thead className="text-xs text-muted">
        <tr>
          <th scope="col" className="pb-2 font-medium">
            {say('Skill')}
          </th>
          {earlier && (
            <th scope="col" className="pb-2 pl-2.5 text-right font-medium">
              {say('Earlier')}
            </th>
          )}
          {extra && (
            <th scope="col" className="pb-2 pl-4 font-medium whitespace-nowrap">
              {extra.title}
            </th>
          )}
          <th scope="col" className="pb-2 pl-2.5 text-right font-medium">
            {earlier ? say('Later') : say('Score')}
          </th>
          {earlier ? (
            <th scope="col" className="pb-2 pl-2.5 text-right font-medium">
              {say('Change')}
            </th>
          ) : (
            <th scope="col" className={classNames('pb-2 pl-3 font-medium', wide)}>
              {say('Level')}
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {petals.map(({ key, label, score, level, left_out }) => {
          const href = hrefOf?.(key);
          return (
            <tr key={key}>
              <th scope="row" className="font-normal">
                {href ? (
                  <a href={href} className="link">
                    {label}
                  </a>
                ) : (
                  label
                )}
                {isWide && (
                  <span className="block sm:hidden">
                    <LevelWord level={level} left_out={left_out} />
                  </span>
                )}
              </th>
              {earlier && (
                <td className="pl-2.5 text-right text-muted">
                  {scoreText(before.get(key) ?? null)}
                </td>
              )}
              {extra && <td className="w-[30%] pl-4 sm:w-24 lg:w-36">{extra.of(key)}</td>}
              <td className="pl-2.5 text-right font-semibold">{scoreText(score)}</td>
              {earlier ? (
                <td className="pl-2.5 text-right">{changeText(before.get(key) ?? null, score)}</td>
              ) : (
                <td className={classNames('pl-3 sm:w-31', wide)}>
                  <LevelWord level={level} left_out={left_out} />
                </td>
              )}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
