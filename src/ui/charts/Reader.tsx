import { type KeyboardEvent, type PointerEvent, type ReactNode, useMemo, useState } from 'react';
import { useReady } from '../use-ready.ts';
import { placeAt, placeByKey } from './reading.ts';

export interface ReaderProps {
  /** The chart's title, as the slider's name for screen readers. */
  label: string;
  /** How many positions (points, bars, rows or petals) the drawing has. */
  count: number;
  /** The axis along which they're arranged. */
  along: 'x' | 'y';
  /** The text for a position, in words and numbers. */
  textOf: (place: number) => string;
  /** Renders the drawing, highlighting the active position. Screen readers get the text instead. */
  children: (active: number | null) => ReactNode;
}

/** The position under the pointer: the row or petal it's on, or the nearest one in a plot. */
function placeUnder({ currentTarget, target, clientX }: PointerEvent, count: number) {
  const plot = currentTarget.querySelector<SVGElement>('[data-plot]');
  if (plot) {
    const { left, width } = plot.getBoundingClientRect();
    const places = plot.dataset.plot === 'bands' ? 'bands' : 'points';
    return placeAt((clientX - left) / width, count, places);
  }
  const on = target instanceof Element ? target.closest<HTMLElement>('[data-place]') : null;
  return on ? Number(on.dataset.place) : null;
}

/**
 * Lets the user read a chart position by position: by pointer or touch, or by keyboard, as a slider
 * whose value is the position's text. Escape or leaving the chart ends it. Without scripts, only
 * the drawing is rendered.
 */
export function Reader({ label, count, along, textOf, children }: ReaderProps) {
  const live = useReady();
  const [place, setPlace] = useState<number | null>(null);
  // The data may have shrunk since.
  const active = place !== null && place < count ? place : null;
  // The drawing is the same before and after it can be read, so that hydration keeps it.
  const drawing = useMemo(() => children(active), [children, active]);
  if (!live || count === 0) {
    return (
      <div className="chart-reader">
        <div>{drawing}</div>
        {count > 0 && <p className="chart-reading" />}
      </div>
    );
  }

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'Escape') {
      setPlace(null);
      return;
    }
    const next = placeByKey(event.key, active, count, along);
    if (next === undefined) return;
    event.preventDefault();
    setPlace(next);
  };
  const read = (event: PointerEvent) => {
    const under = placeUnder(event, count);
    if (under !== null) setPlace(under);
  };
  const text = active === null ? '' : textOf(active);
  return (
    <div className="chart-reader">
      <div
        role="slider"
        tabIndex={0}
        aria-label={`Read “${label}”`}
        aria-orientation={along === 'x' ? 'horizontal' : 'vertical'}
        aria-valuemin={1}
        aria-valuemax={count}
        aria-valuenow={(active ?? 0) + 1}
        aria-valuetext={text || 'Use the arrow keys'}
        onKeyDown={onKeyDown}
        onPointerMove={read}
        onPointerDown={read}
        onPointerLeave={({ pointerType, currentTarget }) => {
          if (pointerType === 'mouse' && currentTarget !== document.activeElement) setPlace(null);
        }}
        onBlur={() => setPlace(null)}
      >
        {drawing}
      </div>
      <p className={text ? 'chart-reading read' : 'chart-reading'} aria-hidden="true">
        {text || 'Point at the chart, or step through it with the arrow keys.'}
      </p>
    </div>
  );
}
