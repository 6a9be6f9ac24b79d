import fc from 'fast-check';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { BarTable } from '#ui/charts/BarTable.tsx';
import { LineChart, ticksFor } from '#ui/charts/LineChart.tsx';
import { NumbersTable } from '#ui/charts/NumbersTable.tsx';
import { StackChart } from '#ui/charts/StackChart.tsx';
import { valueText } from '#ui/charts/values.ts';

/** Amounts to the cent, positive or negative. In `values`, null is unknown. */
const value = fc.integer({ min: -1e9, max: 1e9 }).map((cents) => cents / 100);
const values = fc.array(fc.option(value), { minLength: 1, maxLength: 12 });
const one = (list: (number | null)[]) => [{ name: 'Sales', values: list }];
const labels = (list: unknown[]) => list.map((_, index) => `Month ${index + 1}`);

/** Coordinates of a line chart's dots. */
function dots(page: string): [x: number, y: number][] {
  return [...page.matchAll(/d="M(-?[\d.]+) (-?[\d.]+)h0"/g)].map(([, x, y]) => [
    Number(x),
    Number(y),
  ]);
}

/** Widths of the colored bars, in the order drawn. */
function widths(page: string): number[] {
  return [...page.matchAll(/<rect x="[^"]*" width="([^"]*)"/g)].map(([, width]) => Number(width));
}

describe('Ticks', () => {
  test('are few, evenly spaced, and cover every value and 0', () => {
    fc.assert(
      fc.property(values, (list) => {
        const ticks = ticksFor(one(list));
        const known = [0, ...list.filter((each) => each !== null)];
        expect(ticks.length).toBeLessThanOrEqual(8);
        expect(ticks[0]).toBeGreaterThanOrEqual(Math.max(...known));
        expect(ticks.at(-1)).toBeLessThanOrEqual(Math.min(...known));
        const steps = ticks.slice(1).map((tick, index) => (ticks[index] ?? 0) - tick);
        for (const step of steps) expect(step / (steps[0] ?? 1)).toBeCloseTo(1, 6);
      }),
    );
  });
});

describe('A line', () => {
  test('has one dot for each known value, higher for more; what is not known is a gap, never 0', () => {
    fc.assert(
      fc.property(values, (list) => {
        const page = renderToStaticMarkup(<LineChart labels={labels(list)} series={one(list)} />);
        const drawn = dots(page);
        const known = list.filter((each) => each !== null);
        expect(drawn).toHaveLength(known.length);
        const ticks = ticksFor(one(list));
        const [high = 1, low = 0] = [ticks[0], ticks.at(-1)];
        for (const [index, [, y]] of drawn.entries()) {
          expect(y).toBeCloseTo(240 - (240 * ((known[index] ?? 0) - low)) / (high - low), 0);
        }
      }),
    );
  });

  test('stands where its times are: a year takes four times the room of a quarter', () => {
    const days = ['2025-01-01', '2025-04-02', '2026-04-02'].map(Date.parse);
    const draw = (times?: number[]) =>
      dots(
        renderToStaticMarkup(
          <LineChart labels={labels(days)} series={one([1, 2, 3])} {...(times && { times })} />,
        ),
      ).map(([x]) => x);
    expect(draw()).toEqual([0, 300, 600]);
    expect(draw(days)).toEqual([0, 119.7, 600]);
    expect(draw([7, 7, 7])).toEqual([300, 300, 300]);
  });

  test.each([
    ['no value', []],
    ['one value', [5]],
    ['only unknown values', [null, null]],
    ['nothing but 0', [0, 0]],
  ])('is drawn of %s without a broken number', (_, list) => {
    for (const filled of [false, true]) {
      const page = renderToStaticMarkup(
        <LineChart labels={labels(list)} series={one(list)} filled={filled} />,
      );
      expect(page).not.toMatch(/NaN|Infinity|undefined|style=/);
    }
  });
});

describe('Bars', () => {
  test('are as long as their values, to either side of 0', () => {
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 8 }), (list) => {
        const rows = list.map((each, index) => ({ label: `Row ${index}`, value: each }));
        const drawn = widths(renderToStaticMarkup(<BarTable rows={rows} caption="Left" />));
        const long = list.filter((each) => each !== 0).map(Math.abs);
        const span = Math.max(0, ...list) - Math.min(0, ...list);
        expect(drawn).toHaveLength(long.length);
        for (const [index, width] of drawn.entries()) {
          expect(width).toBeCloseTo((100 * (long[index] ?? 0)) / span, 6);
        }
      }),
    );
  });

  test('leave out what is not known and say so with a dash', () => {
    const page = renderToStaticMarkup(
      <BarTable rows={[{ label: 'May', value: null }]} caption="Left" unit="$" />,
    );
    expect(widths(page)).toEqual([]);
    expect(page).toContain('>–<');
  });
});

describe('A stack', () => {
  test('never grows beyond its longest bar, and leaves out what is not known', () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.nat(1e6)), { minLength: 1, maxLength: 6 }), (list) => {
        const series = list.map((each, index) => ({ name: `Part ${index}`, values: [each] }));
        const page = renderToStaticMarkup(<StackChart labels={['All']} series={series} />);
        const drawn = widths(page);
        expect(drawn).toHaveLength(list.filter((each) => each !== null && each > 0).length);
        const ends = [...page.matchAll(/<rect x="([^"]*)" width="([^"]*)"/g)];
        for (const [, x, width] of ends) {
          expect(Number(x) + Number(width)).toBeLessThanOrEqual(100.2);
        }
      }),
    );
  });
});

test('The table of a chart says every value, and a dash for what is not known', () => {
  const page = renderToStaticMarkup(
    <NumbersTable caption="Sales" labels={['May', 'June']} series={one([1234.5, null])} unit="$" />,
  );
  // The first cell is the corner between the row and column headings.
  const cells = [...page.matchAll(/<td>([^<]*)<\/td>/g)].map(([, text]) => text);
  expect(cells).toEqual(['', '$1,234.50', '–']);
});

test.each([
  [17.5, '$', '$17.50'],
  [-3, '$', '−$3'],
  [12.25, '%', '12.3%'],
  [3, 'hours', '3 hours'],
  [null, '$', '–'],
])('%s in %s reads %s', (amount, unit, text) => {
  expect(valueText(amount, unit)).toBe(text);
});
