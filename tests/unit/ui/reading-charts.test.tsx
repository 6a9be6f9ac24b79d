import fc from 'fast-check';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { placeOnPage } from '#components/prose/place-on-page.ts';
import { BoxChart } from '#ui/charts/BoxChart.tsx';
import { binsOf, placeOf, spreadOf } from '#ui/charts/bins.ts';
import { ColumnChart } from '#ui/charts/ColumnChart.tsx';
import { Histogram } from '#ui/charts/Histogram.tsx';
import { labelsThatFit, type PlacedLabel, ROOM, sharesOf } from '#ui/charts/labels.ts';
import { LiveBoxChart } from '#ui/charts/live/LiveBoxChart.tsx';
import { LiveHistogram } from '#ui/charts/live/LiveHistogram.tsx';
import { LiveLineChart } from '#ui/charts/live/LiveLineChart.tsx';
import { LiveStackChart } from '#ui/charts/live/LiveStackChart.tsx';
import { inOrder } from '#ui/charts/Ordered.tsx';
import { placeAt, placeByKey } from '#ui/charts/reading.ts';
import { Sparkline } from '#ui/charts/Sparkline.tsx';
import { changeOf } from '#ui/charts/SparkTable.tsx';
import { tickText } from '#ui/charts/values.ts';

const value = fc.integer({ min: -1e9, max: 1e9 }).map((cents) => cents / 100);
const values = fc.array(value, { minLength: 1, maxLength: 60 });
const maybe = fc.array(fc.option(value), { maxLength: 30 });
const BROKEN = /NaN|Infinity|undefined|style=/;

describe('Ranges of a distribution', () => {
  test('hold every value once, side by side and equally wide', () => {
    fc.assert(
      fc.property(values, (list) => {
        const bins = binsOf(list);
        expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(list.length);
        const width = (bins[0]?.to ?? 0) - (bins[0]?.from ?? 0);
        for (const [index, { from, to }] of bins.entries()) {
          // Equal, except for rounding errors of edges far from zero.
          const rounding = 4 * Number.EPSILON * Math.max(Math.abs(from), Math.abs(to));
          expect(Math.abs(to - from - width)).toBeLessThanOrEqual(rounding);
          if (index > 0) expect(from).toBe(bins[index - 1]?.to);
        }
      }),
    );
  });

  test('An own value beyond them lies in none', () => {
    const bins = binsOf([10, 20, 30]);
    expect(placeOf(bins, 30)).toBe(bins.length - 1);
    expect(placeOf(bins, 31)).toBeNull();
    expect(placeOf(bins, 9)).toBeNull();
    expect(binsOf([])).toEqual([]);
  });
});

describe('Quarters', () => {
  test('are those of PostgreSQL', () => {
    // select percentile_cont(array[0, .25, .5, .75, 1]) within group (order by x), for 1, 2, 4, 8
    expect(spreadOf([8, 1, 4, 2])).toEqual({ low: 1, q1: 1.75, median: 3, q3: 5, high: 8 });
    expect(spreadOf([5])).toEqual({ low: 5, q1: 5, median: 5, q3: 5, high: 5 });
    expect(spreadOf([])).toBeNull();
  });

  test('stand in their order, with a quarter of the values on either side', () => {
    fc.assert(
      fc.property(values, (list) => {
        const spread = spreadOf(list);
        if (!spread) return;
        const { low, q1, median, q3, high } = spread;
        const order = [low, q1, median, q3, high];
        for (const [index, each] of order.slice(1).entries()) {
          expect(each).toBeGreaterThanOrEqual((order[index] ?? each) - 1e-6);
        }
        const below = list.filter((each) => each < q1 - 1e-6).length;
        expect(below).toBeLessThanOrEqual(Math.ceil(list.length / 4));
      }),
    );
  });
});

describe('Labels', () => {
  const rooms = fc.integer({ min: 12, max: 80 });
  /** Expects labels in order, `gap` characters apart, and within the `room` of the drawing. */
  function expectApart(shown: PlacedLabel[], room: number, gap: number) {
    let end = -gap;
    for (const { share, anchor, text } of shown) {
      const start = share * room - { start: 0, middle: text.length / 2, end: text.length }[anchor];
      expect(start).toBeGreaterThanOrEqual(end + gap - 1e-9);
      end = start + text.length;
    }
    expect(end).toBeLessThanOrEqual(room + 1e-9);
  }

  test('are evenly spaced to the last, never one over another, and never beyond the drawing', () => {
    const words = fc.array(fc.string({ maxLength: 40 }), { minLength: 1, maxLength: 80 });
    const kinds = fc.constantFrom('points' as const, 'bands' as const);
    fc.assert(
      fc.property(words, rooms, kinds, (labels, room, places) => {
        const shown = labelsThatFit(labels, room, places);
        expect(shown.at(-1)?.place).toBe(labels.length - 1);
        const steps = shown.slice(1).map(({ place }, index) => place - (shown[index]?.place ?? 0));
        expect(new Set(steps).size).toBeLessThanOrEqual(1);
        expectApart(shown, room, 0);
      }),
    );
  });

  test('of days are under their days, as many as have room, the last one always and the first with room', () => {
    const ascending = fc
      .uniqueArray(fc.nat(5000), { minLength: 1, maxLength: 60 })
      .map((days) => days.toSorted((a, b) => a - b));
    fc.assert(
      fc.property(ascending, rooms, (days, room) => {
        const shares = sharesOf(days);
        const labels = days.map((each) => `Day ${each}`);
        const shown = labelsThatFit(labels, room, 'points', shares);
        expect(shown.at(-1)?.place).toBe(days.length - 1);
        if (days.length > 2 && room >= 40) expect(shown[0]?.place).toBe(0);
        for (const { place, share, anchor } of shown) {
          if (anchor === 'middle') expect(share).toBe(shares[place]);
        }
        expectApart(shown, room, 1.5);
      }),
    );
  });

  test('Twelve months fit a desk in full, and every third a phone', () => {
    const months = Array.from({ length: 12 }, () => 'Jan');
    const places = (room: number) =>
      labelsThatFit(months, room, 'points').map((each) => each.place);
    expect(places(ROOM.wide)).toHaveLength(12);
    expect(places(ROOM.narrow)).toEqual([2, 5, 8, 11]);
  });

  test('that are too long for two are cut', () => {
    const long = labelsThatFit(['The months before the opening', 'The first summer'], 28, 'points');
    expect(long.map(({ text }) => text)).toEqual(['The months b…', 'The first su…']);
  });
});

describe('The place that is read', () => {
  test('is the nearest point, or the band under the pointer, and always one that there is', () => {
    fc.assert(
      fc.property(fc.double({ min: -2, max: 3, noNaN: true }), fc.nat(50), (share, more) => {
        const count = more + 1;
        for (const places of ['points', 'bands'] as const) {
          const place = placeAt(share, count, places) ?? -1;
          expect(place).toBeGreaterThanOrEqual(0);
          expect(place).toBeLessThan(count);
        }
        const inside = Math.min(1, Math.max(0, share));
        const near = (placeAt(share, count, 'points') ?? 0) / Math.max(1, count - 1);
        if (count > 1)
          expect(Math.abs(near - inside)).toBeLessThanOrEqual(0.5 / (count - 1) + 1e-9);
      }),
    );
    expect(placeAt(0.5, 0, 'points')).toBeNull();
    expect(placeAt(Number.NaN, 3, 'points')).toBeNull();
  });

  test.each([
    ['ArrowRight', 2, 'x', 3],
    ['ArrowUp', 2, 'x', 3],
    ['ArrowDown', 2, 'y', 3],
    ['ArrowUp', 2, 'y', 1],
    ['ArrowRight', 9, 'x', 9],
    ['ArrowLeft', 0, 'x', 0],
    ['Home', 7, 'x', 0],
    ['End', null, 'x', 9],
    ['ArrowRight', null, 'x', 0],
    ['ArrowLeft', null, 'x', 9],
  ] as const)('%s leads from %s along %s to %s', (key, from, along, to) => {
    expect(placeByKey(key, from, 10, along)).toBe(to);
  });

  test('Other keys lead nowhere', () => {
    expect(placeByKey('Tab', 1, 10, 'x')).toBeUndefined();
    expect(placeByKey('ArrowRight', 1, 0, 'x')).toBeUndefined();
  });
});

describe('Drawings', () => {
  test('of any figures have no broken number and no styles of their own', () => {
    fc.assert(
      fc.property(maybe, (list) => {
        const labels = list.map((_, index) => `Month ${index}`);
        const known = list.filter((each) => each !== null);
        const series = [
          { name: 'Sales', values: list },
          { name: 'Costs', values: list.map((each) => (each === null ? null : Math.abs(each))) },
        ];
        const drawn = renderToStaticMarkup(
          <>
            <ColumnChart labels={labels} values={list} active={0} own={1} />
            <Histogram bins={binsOf(known)} own={known[0] ?? null} />
            <BoxChart rows={[{ label: 'Sales', spread: spreadOf(known), own: known[0] ?? null }]} />
            <Sparkline values={list} />
            <LiveLineChart title="Lines" labels={labels} series={series} filled />
            <LiveStackChart title="Stack" labels={labels} series={series} shares />
          </>,
        );
        expect(drawn).not.toMatch(BROKEN);
      }),
    );
  });

  test('as a small line join what can be compared, and show the rest as dots', () => {
    const drawn = renderToStaticMarkup(
      <Sparkline
        values={[10, 20, 30, null, 50]}
        joined={[true, false, true, true, true]}
        range={[0, 100]}
      />,
    );
    const paths = [...drawn.matchAll(/ d="([^"]*)"/g)].map(([, d]) => d);
    expect(paths).toEqual(['M25 19.2L50 16.8', 'M0 21.6h0M100 12h0', 'M100 12h0']);
  });

  test('say that there are no figures yet, and offer nothing to read', () => {
    const nothing = renderToStaticMarkup(
      <>
        <LiveLineChart
          title="Lines"
          labels={['May']}
          series={[{ name: 'Sales', values: [null] }]}
        />
        <LiveHistogram title="Spread" many="businesses" bins={[]} />
        <LiveBoxChart title="Others" rows={[]} />
      </>,
    );
    expect(nothing.match(/No figures yet/g)).toHaveLength(3);
    expect(nothing).not.toContain('chart-reading');
  });

  test('are read only once scripts run: the server sends no slider and no button', () => {
    const page = renderToStaticMarkup(
      <LiveLineChart
        title="Lines"
        labels={['May', 'June']}
        series={[
          { name: 'Sales', values: [1, 2] },
          { name: 'Costs', values: [2, 1] },
        ]}
      />,
    );
    expect(page).not.toMatch(/role="slider"|<button/);
    expect(page).toContain('Sales');
  });
});

test.each([
  [[2, null, 5], '', '5', '+3'],
  [[1200, 0], '$', '$0', '−$1,200'],
  [[20, 30], '%', '30%', '+10 points'],
  [[4, 4], '', '4', 'no change'],
  [[null, 7], '', '7', '–'],
  [[], '', '–', '–'],
])('Figures %j %s end at %s, a change of %s', (list, unit, latest, change) => {
  expect(changeOf(list, unit)).toEqual({ latest, change });
});

test.each([
  [999_999, '$', '$999,999'],
  [1_250_000, '$', '$1.25M'],
  [-1e12, '$', '−$1T'],
  [2e6, '', '2M'],
])('%s %s beside a rule reads %s', (amount, unit, text) => {
  expect(tickText(amount, unit)).toBe(text);
});

test('The largest come first, what is not known last, equals as they stood', () => {
  const rows = [null, 3, -2, 7, null, 3].map((amount, place) => ({ amount, place }));
  expect(inOrder(rows, ({ amount }) => amount).map(({ place }) => place)).toEqual([
    3, 1, 5, 2, 0, 4,
  ]);
});

test('Calculators of a kind are counted page by page', () => {
  const [one, other] = [new Request('http://x/a'), new Request('http://x/b')];
  expect(placeOnPage(one, 'price')).toBe(1);
  expect(placeOnPage(one, 'price')).toBe(2);
  expect(placeOnPage(one, 'break-even')).toBe(1);
  expect(placeOnPage(other, 'price')).toBe(1);
});
