import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from 'react';
import { useReady } from '../use-ready.ts';
import { placeAt, placeByKey } from './reading.ts';

export interface ReaderProps {
  /** What is read, for a screen reader: the title of the chart. */
  label: string;
  /** How many places the drawing has. */
  count: number;
  /** The direction they follow each other in. */
  along: 'x' | 'y';
  /** What a place says, in words and numbers. */
  textOf: (place: number) => string;
  /** The drawing, with the place that is read marked. It is decoration: the words are in the reading. */
  children: (active: number | null) => ReactNode;
}

/** The place under a pointer: that of the row or petal it is on, or the nearest of a plot. */
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
 * Reads a drawing place by place: a pointer or a finger reads what it is on, and with the keyboard
 * it is a slider, whose value is the text at that place. Escape and leaving end it. Without scripts it is
 * the drawing alone.
 */
export function Reader({ label, count, along, textOf, children }: ReaderProps) {
  const live = useReady();
  const [place, setPlace] = useState<number | null>(null);
  // The figures may have become fewer since.
  const active = place !== null && place < count ? place : null;
  if (!live || count === 0) {
    return (
      <div className="chart-reader">
        {children(null)}
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
        {children(active)}
      </div>
      <p className={text ? 'chart-reading read' : 'chart-reading'} aria-hidden="true">
        {text || 'Point at the chart, or step through it with the arrow keys.'}
      </p>
    </div>
  );
}
