/** The calculators: their fields and their results in words, for articles and the toolbox. */

import { money } from '#lib/locale/money.ts';
import { wholeText } from '#lib/locale/numbers.ts';
import { breakEven } from './break-even.ts';
import { cashRunway } from './cash-runway.ts';
import { priceFor } from './price.ts';

/**
 * A field's unit: dollars (stored as whole cents), hours, a percentage of something else (stored as
 * a factor), or a share of a whole, which is always below 100%.
 */
export type Unit = 'dollars' | 'hours' | 'percent' | 'share';

/** The unit shown next to a field's number. */
export const signs: Record<Unit, string> = {
  dollars: '$',
  hours: 'hours',
  percent: '%',
  share: '%',
};

/** What was typed, with its unit unless that was typed too: "$1,450", "1.75 hours"; empty for nothing. */
export function withSign(text: string, unit: Unit): string {
  const typed = text.trim();
  const sign = signs[unit];
  if (typed === '' || typed.includes(sign)) return typed;
  if (unit === 'dollars') return `${sign}${typed}`;
  return unit === 'hours' ? `${typed} ${sign}` : `${typed}${sign}`;
}

export interface CalculatorField {
  name: string;
  label: string;
  unit: Unit;
  /** One line about what to include. */
  hint?: string;
}

/** The result: a one-line answer, and what follows from it. */
export interface Answer {
  headline: string;
  lines: string[];
}

export interface Calculator {
  title: string;
  fields: readonly CalculatorField[];
  /** Computes the result from the fields' stored values, by field name. */
  answer(values: Record<string, number>): Answer;
}

const dollars = (cents: number) => money(cents, 'USD');
const counted = (count: number, one: string, many: string) =>
  `${wholeText(count)} ${count === 1 ? one : many}`;

const breakEvenCalculator: Calculator = {
  title: 'Break-even',
  fields: [
    {
      name: 'fixed',
      label: 'Fixed costs per month',
      unit: 'dollars',
      hint: 'What you pay even if you sell nothing.',
    },
    { name: 'price', label: 'Price of one sale', unit: 'dollars' },
    {
      name: 'variable',
      label: 'Cost of one sale',
      unit: 'dollars',
      hint: 'What you spend only because you made this sale.',
    },
  ],
  answer({ fixed = 0, price = 0, variable = 0 }) {
    const result = breakEven({ fixed, price, variable });
    if (result.name === 'never') {
      return {
        headline: 'No number of sales will cover your costs',
        lines: [
          result.loss > 0
            ? `Each sale costs ${dollars(result.loss)} more than it brings in.`
            : 'Each sale costs as much as it brings in, so nothing’s left for your fixed costs.',
          'Raise the price or lower the cost per sale first.',
        ],
      };
    }
    return {
      headline: `${counted(result.units, 'sale', 'sales')} a month`,
      lines: [
        `They bring in ${dollars(result.sales)}.`,
        `Each sale leaves ${dollars(result.margin)} for your fixed costs of ${dollars(fixed)}. Past that point, each one earns you ${dollars(result.margin)}.`,
      ],
    };
  },
};

const cashRunwayCalculator: Calculator = {
  title: 'Cash runway',
  fields: [
    { name: 'cash', label: 'In the bank today', unit: 'dollars' },
    {
      name: 'income',
      label: 'Money in per month',
      unit: 'dollars',
      hint: 'What customers pay, not what you bill.',
    },
    {
      name: 'costs',
      label: 'Money out per month',
      unit: 'dollars',
      hint: 'Include your own pay and loan payments.',
    },
  ],
  answer({ cash = 0, income = 0, costs = 0 }) {
    const result = cashRunway({ cash, income, costs });
    if (result.name === 'lasts') {
      return {
        headline: 'You won’t run out of cash',
        lines: [
          result.surplus > 0
            ? `You keep ${dollars(result.surplus)} a month.`
            : 'You’re breaking even. One late payment would hurt.',
        ],
      };
    }
    return {
      headline: counted(result.months, 'month', 'months'),
      lines: [
        `Each month, ${dollars(result.shortfall)} more goes out than comes in.`,
        'To see a bad month, enter half of what usually comes in.',
      ],
    };
  },
};

const priceCalculator: Calculator = {
  title: 'Price',
  fields: [
    { name: 'cost', label: 'Materials and travel per sale', unit: 'dollars' },
    {
      name: 'hours',
      label: 'Hours per sale',
      unit: 'hours',
      hint: 'Add up everyone who works on it.',
    },
    {
      name: 'rate',
      label: 'Cost per hour',
      unit: 'dollars',
      hint: 'Wage plus taxes and insurance. Your own hours count too.',
    },
    {
      name: 'overhead',
      label: 'Overhead on top of that',
      unit: 'percent',
      hint: 'Rent, insurance, software, advertising, as a share of direct cost.',
    },
    {
      name: 'margin',
      label: 'Profit margin you want',
      unit: 'share',
      hint: 'As a share of the price.',
    },
  ],
  answer({ cost = 0, hours = 0, rate = 0, overhead = 0, margin = 0 }) {
    const { direct, full, price, left } = priceFor({ cost, hours, rate, overhead, margin });
    const wrong = Math.round(full * (1 + margin));
    return {
      headline: dollars(price),
      lines: [
        `Direct cost is ${dollars(direct)}, or ${dollars(full)} with its share of everything else.`,
        `You keep ${dollars(left)}.`,
        ...(margin > 0
          ? [
              `Adding ${Math.round(margin * 100)}% to the cost gives only ${dollars(wrong)}. The margin is a share of the price, not the cost.`,
            ]
          : []),
      ],
    };
  },
};

/** The calculators, by the names that articles and tools use for them. */
export const calculators = {
  'break-even': breakEvenCalculator,
  'cash-runway': cashRunwayCalculator,
  price: priceCalculator,
} satisfies Record<string, Calculator>;

export type CalculatorKind = keyof typeof calculators;

/** A field's maximum, in dollars or hours, and in percent. */
const MOST = 1e9;
const MOST_PERCENT = 10_000;

/**
 * Parses typed text such as "$1,234.50", "12.5 %" or "1.75" into cents, hours or a factor. A comma
 * only separates thousands: "12,50" is an error, because the user may mean 12.50, not 1,250.
 * @returns the number, or the error message to show next to the field
 */
export function readField(text: string, unit: Unit): number | string {
  const bare = text.trim().replace(/^\$\s*|\s*%$/g, '');
  if (bare === '') return 'Enter a number (zero is fine).';
  if (/^[-−]/.test(bare)) return 'Enter zero or more.';
  const value = Number(bare.replaceAll(',', ''));
  if (!/^(\d{1,3}(,\d{3})+|\d*)(\.\d*)?$/.test(bare) || !Number.isFinite(value))
    return 'Use digits only, such as 1,250 or 12.50.';
  if (value > (unit === 'percent' ? MOST_PERCENT : MOST)) return 'That number is too large.';
  if (unit === 'dollars') return Math.round(value * 100);
  if (unit === 'hours') return value;
  if (unit === 'share' && value >= 100) return 'Enter a margin below 100%.';
  return value / 100;
}

/** Formats a stored value for its field: an amount with cents has two digits of them. */
export function fieldText(value: number, unit: Unit): string {
  const shown =
    unit === 'dollars' ? value / 100 : unit === 'hours' ? value : Math.round(value * 1e4) / 100;
  return Number.isInteger(shown)
    ? wholeText(shown)
    : shown.toLocaleString('en-US', {
        minimumFractionDigits: unit === 'dollars' ? 2 : 0,
        maximumFractionDigits: 2,
      });
}
