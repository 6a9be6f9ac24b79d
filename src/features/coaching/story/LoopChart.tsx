import type { ReactNode } from 'react';
import type { LoopArea } from '#data/coaching-timeline.ts';
import { levelOf } from '#domain/level.ts';
import { shortDayText } from '#lib/locale/dates.ts';
import { LevelWord } from '#ui/charts/BloomTable.tsx';
import { labelsThatFit, ROOM } from '#ui/charts/labels.ts';
import { scoreText } from '#ui/charts/levels.ts';
import { LoopTable } from './LoopTable.tsx';
import {
  changeOf,
  type LoopAxis,
  loopAxis,
  marksOf,
  type ScoreStep,
  scoreAt,
  stepsOf,
} from './loop.ts';
import {
  ActionGlyph,
  FlowerGlyph,
  FocusGlyph,
  ScoreGlyph,
  SessionGlyph,
  ToolGlyph,
} from './loop-glyphs.tsx';

interface LoopChartProps {
  /** The skills that were worked on; at least one. */
  loop: readonly LoopArea[];
  /** ISO 8601: the right edge. */
  now: string;
  /** The reader's IANA time zone. */
  timeZone: string;
}

/** Heights in pixels: the scores from 100 down to 0, then sessions, then tools. */
const TOP = 20;
const GROUND = 76;
const SESSIONS = 90;
const TOOLS = 108;

const percent = (share: number) => `${Math.round(share * 1000) / 10}%`;
const heightOf = (score: number) => Math.round(GROUND - ((GROUND - TOP) * score) / 100);

/**
 * The work on each skill over time, as owner and coach both see it: the score from one quiz to the
 * next as a stem, and on and under it what was done in between. A table says the same in words. It
 * doesn't need JavaScript.
 */
export function LoopChart({ loop, now, timeZone }: LoopChartProps) {
  const axis = loopAxis(loop, now, timeZone);
  const rows = loop.map((area) => ({ area, steps: stepsOf(area, axis) }));
  return (
    <figure className="@container flex min-w-0 flex-col gap-5">
      <div className="flex flex-col gap-5 @2xl:gap-3" aria-hidden="true">
        {rows.map(({ area, steps }) => (
          <Row key={area.area_key} name={<AreaName area={area} steps={steps} />}>
            <AreaDrawing area={area} steps={steps} axis={axis} timeZone={timeZone} />
          </Row>
        ))}
        <Row name={null}>
          <Months months={axis.months} />
        </Row>
      </div>
      <Legend rows={rows} />
      <details className="text-sm">
        <summary className="link inline-block py-1 pointer-coarse:py-3">Show it as a table</summary>
        <LoopTable loop={loop} timeZone={timeZone} />
      </details>
    </figure>
  );
}

const Row = ({ name, children }: { name: ReactNode; children: ReactNode }) => (
  <div className="grid gap-x-6 gap-y-1 @2xl:grid-cols-[11rem_minmax(0,1fr)] @2xl:items-center">
    {name ?? <span className="hidden @2xl:block" />}
    {children}
  </div>
);

interface LoopRow {
  area: LoopArea;
  steps: ScoreStep[];
}

function AreaName({ area, steps }: LoopRow) {
  const last = steps.at(-1);
  const change = changeOf(steps);
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4 @2xl:flex-col">
      <p className="text-sm font-semibold">{area.area_name}</p>
      {last && (
        <p className="flex items-baseline gap-2.5 text-sm figures">
          <span>
            {change && scoreText(change.from) !== scoreText(change.to) && (
              <span className="text-muted">
                {scoreText(change.from)} <span className="mx-0.5">→</span>{' '}
              </span>
            )}
            {scoreText(last.score)}
          </span>
          <LevelWord level={levelOf(last.score)} />
        </p>
      )}
    </div>
  );
}

interface DrawingProps extends LoopRow {
  axis: LoopAxis;
  timeZone: string;
}

/** Positions are percentages, so the drawing stretches and its marks and text don't. */
function AreaDrawing({ area, steps, axis, timeZone }: DrawingProps) {
  const height = area.tools.length > 0 ? TOOLS + 10 : SESSIONS + 10;
  return (
    <svg className="block w-full overflow-visible" height={height} fill="none" aria-hidden="true">
      <Lattice axis={axis} height={height} />
      <Stem steps={steps} />
      <Actions area={area} axis={axis} steps={steps} timeZone={timeZone} />
      <Marks area={area} axis={axis} steps={steps} timeZone={timeZone} />
      <Scores steps={steps} timeZone={timeZone} />
    </svg>
  );
}

function Lattice({ axis, height }: { axis: LoopAxis; height: number }) {
  return (
    <g className="stroke-line">
      {axis.months.map(({ label, share }) => (
        <line key={label} x1={percent(share)} x2={percent(share)} y1={TOP - 8} y2={height} />
      ))}
      {[100, 50, 0].map((score) => (
        <line key={score} x1="0%" x2="100%" y1={heightOf(score)} y2={heightOf(score)} />
      ))}
    </g>
  );
}

function Stem({ steps }: { steps: ScoreStep[] }) {
  return (
    <>
      {steps.map(({ from, to, score, at }) => (
        <rect
          key={at}
          x={percent(from)}
          y={heightOf(score)}
          width={percent(to - from)}
          height={GROUND - heightOf(score)}
          className="fill-primary-soft"
        />
      ))}
      <g className="stroke-stem" strokeWidth="3" strokeLinecap="round">
        {steps.map(({ from, to, score, at, isNewScale }, index) => {
          const before = steps[index - 1]?.score;
          return (
            <g key={at}>
              {before !== undefined && (
                <line
                  x1={percent(from)}
                  x2={percent(from)}
                  y1={heightOf(before)}
                  y2={heightOf(score)}
                  strokeDasharray={isNewScale ? '1 6' : undefined}
                />
              )}
              <line x1={percent(from)} x2={percent(to)} y1={heightOf(score)} y2={heightOf(score)} />
            </g>
          );
        })}
      </g>
    </>
  );
}

interface GlyphProps {
  share: number;
  y: number;
  /** What the pointer reads. */
  title: string;
  children: ReactNode;
}

const Glyph = ({ share, y, title, children }: GlyphProps) => (
  <svg x={percent(share)} y={y} overflow="visible">
    <title>{title}</title>
    {children}
  </svg>
);

/** Whether a leaf that grows up would cover the score of its step. */
const isUnderLabel = (steps: readonly ScoreStep[], share: number): boolean =>
  steps.some(({ from }) => share >= from - 0.02 && share - from < LABEL_ROOM);

/** Leaves on the stem: where an action was done, or where it was agreed on while it's open. */
function Actions({ area, axis, steps, timeZone }: DrawingProps) {
  const marks = marksOf(area.actions, ({ at, done_at }) => done_at ?? at, axis);
  return marks.map(({ thing: { at, done_at }, share }, index) => (
    <Glyph
      key={`${at} ${done_at}`}
      share={share}
      y={heightOf(scoreAt(steps, share) ?? 0)}
      title={`${done_at ? 'Action done' : 'Open action'}, ${shortDayText(done_at ?? at, timeZone)}`}
    >
      <ActionGlyph
        isDone={done_at !== null}
        flip={isUnderLabel(steps, share) || (index % 2 === 1 && scoreAt(steps, share) !== null)}
      />
    </Glyph>
  ));
}

function Marks({ area, axis, steps, timeZone }: DrawingProps) {
  const { focus_at } = area;
  const day = (at: string) => shortDayText(at, timeZone);
  return (
    <>
      {focus_at && (
        <Glyph
          share={axis.shareOf(focus_at)}
          y={heightOf(scoreAt(steps, axis.shareOf(focus_at)) ?? 0)}
          title={`Chosen to work on, ${day(focus_at)}`}
        >
          <FocusGlyph />
        </Glyph>
      )}
      {marksOf(area.sessions, (at) => at, axis).map(({ thing, share }) => (
        <Glyph key={thing} share={share} y={SESSIONS} title={`Session, ${day(thing)}`}>
          <SessionGlyph />
        </Glyph>
      ))}
      {marksOf(area.tools, ({ at }) => at, axis).map(({ thing, share }) => (
        <Glyph key={thing.at} share={share} y={TOOLS} title={`Tool, ${day(thing.at)}`}>
          <ToolGlyph />
        </Glyph>
      ))}
    </>
  );
}

/** Labels closer than this share of the width to the next one would run into it. */
const LABEL_ROOM = 0.1;

function Scores({ steps, timeZone }: { steps: ScoreStep[]; timeZone: string }) {
  return steps.map(({ from, score, at, improved }, index) => {
    const next = steps[index + 1];
    const isAtEdge = from > 1 - LABEL_ROOM / 2;
    return (
      <g key={at}>
        {from > 0 && (
          <Glyph
            share={from}
            y={heightOf(score)}
            title={`Quiz: ${scoreText(score)}, ${shortDayText(at, timeZone)}`}
          >
            {improved ? <FlowerGlyph /> : <ScoreGlyph />}
          </Glyph>
        )}
        {(!next || next.from - from >= LABEL_ROOM) && (
          <text
            x={percent(from)}
            y={heightOf(score)}
            dx={isAtEdge || from === 0 ? 0 : improved ? 13 : 8}
            dy={isAtEdge ? -13 : -8}
            textAnchor={isAtEdge ? 'end' : 'start'}
            className="fill-ink text-xs font-semibold figures"
          >
            {scoreText(score)}
          </text>
        )}
      </g>
    );
  });
}

/** As many months as fit, on a phone and on a wider screen. */
function Months({ months }: { months: LoopAxis['months'] }) {
  const labels = months.map(({ label }) => label);
  const shares = months.map(({ share }) => share);
  return (['narrow', 'wide'] as const).map((width) => (
    <svg
      key={width}
      height="20"
      aria-hidden="true"
      className={width === 'narrow' ? 'block w-full @2xl:hidden' : 'hidden w-full @2xl:block'}
    >
      {labelsThatFit(labels, ROOM[width], 'points', shares).map(
        ({ place, share, anchor, text }) => (
          <text
            key={place}
            x={percent(share)}
            y="1em"
            textAnchor={anchor}
            className="fill-muted text-xs"
          >
            {text}
          </text>
        ),
      )}
    </svg>
  ));
}

/** A leaf grows up from its place, so it's moved to the middle. */
const LegendLeaf = ({ isDone }: { isDone: boolean }) => (
  <g transform="translate(-6 8)">
    <ActionGlyph isDone={isDone} />
  </g>
);

/** What the marks mean, of those that there are. */
function Legend({ rows: loop }: { rows: readonly LoopRow[] }) {
  const has = (of: (area: LoopArea) => boolean) => loop.some(({ area }) => of(area));
  const rows = [
    [has(({ scores }) => scores.length > 0), 'Quiz score', <ScoreGlyph key="score" />],
    [has(({ focus_at }) => focus_at !== null), 'Chosen to work on', <FocusGlyph key="focus" />],
    [has(({ sessions }) => sessions.length > 0), 'Session', <SessionGlyph key="session" />],
    [
      has(({ actions }) => actions.some(({ done_at }) => done_at)),
      'Action done',
      <LegendLeaf key="done" isDone />,
    ],
    [
      has(({ actions }) => actions.some(({ done_at }) => !done_at)),
      'Open action',
      <LegendLeaf key="open" isDone={false} />,
    ],
    [has(({ tools }) => tools.length > 0), 'Tool', <ToolGlyph key="tool" />],
    [
      loop.some(({ steps }) => steps.some(({ improved }) => improved)),
      'Much better score',
      <FlowerGlyph key="better" />,
    ],
  ] as const;
  return (
    <ul aria-hidden="true" className="flex flex-wrap gap-x-5 gap-y-1.5 text-xs text-muted">
      {rows.map(
        ([isShown, word, glyph]) =>
          isShown && (
            <li key={word} className="flex items-center gap-2">
              <svg
                viewBox="-11 -11 22 22"
                className="size-5 overflow-visible"
                fill="none"
                aria-hidden="true"
              >
                {glyph}
              </svg>
              {word}
            </li>
          ),
      )}
    </ul>
  );
}
