/** The calculators: what each asks, and what it answers in words. One source for page and toolbox. */
import { money } from '#lib/locale/money.ts';
import { breakEven } from './break-even.ts';
import { cashRunway } from './cash-runway.ts';
import { priceFor } from './price.ts';

/**
 * The unit of a field: dollars (whole cents inside), hours, a percentage of something else
 * (a factor inside), or a share of a whole, which is always below 100%.
 */
export type Unit = 'dollars' | 'hours' | 'percent' | 'share';

/** The sign beside a field's number. */
export const signs: Record<Unit, string> = {
  dollars: '$',
  hours: 'hours',
  percent: '%',
  share: '%',
};

export interface CalculatorField {
  name: string;
  label: string;
  unit: Unit;
  /** One line that says what to count. */
  hint?: string;
}

/** What came out: one line that answers, and what follows from it. */
export interface Answer {
  headline: string;
  lines: string[];
}

export interface Calculator {
  title: string;
  fields: readonly CalculatorField[];
  /** Takes what the fields hold in their inner units, in any order. */
  answer(values: Record<string, number>): Answer;
}

const dollars = (cents: number) => money(cents, 'USD');
const counted = (count: number, one: string, many: string) =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;

const breakEvenCalculator: Calculator = {
  title: 'Break-even',
  fields: [
    {
      name: 'fixed',
      label: 'Fixed costs a month',
      unit: 'dollars',
      hint: 'What you pay if you sell nothing.',
    },
    { name: 'price', label: 'Price of one sale', unit: 'dollars' },
    {
      name: 'variable',
      label: 'Cost of one sale',
      unit: 'dollars',
      hint: 'What you only spend because of it.',
    },
  ],
  answer({ fixed = 0, price = 0, variable = 0 }) {
    const result = breakEven({ fixed, price, variable });
    if (result.name === 'never') {
      return {
        headline: 'No number of sales is enough',
        lines: [
          result.loss > 0
            ? `Each sale costs ${dollars(result.loss)} more than it brings in.`
            : 'Each sale costs as much as it brings in, so nothing is left for the fixed costs.',
          'Raise the price or lower the cost of a sale first.',
        ],
      };
    }
    return {
      headline: `${counted(result.units, 'sale', 'sales')} a month`,
      lines: [
        `They bring in ${dollars(result.sales)}.`,
        `Each sale leaves ${dollars(result.margin)} for the fixed costs of ${dollars(fixed)}; every one after that earns it.`,
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
      label: 'Comes in, a month',
      unit: 'dollars',
      hint: 'What is paid, not what is billed.',
    },
    {
      name: 'costs',
      label: 'Goes out, a month',
      unit: 'dollars',
      hint: 'With your own pay and loan payments.',
    },
  ],
  answer({ cash = 0, income = 0, costs = 0 }) {
    const result = cashRunway({ cash, income, costs });
    if (result.name === 'lasts') {
      return {
        headline: 'The money does not run out',
        lines: [
          result.surplus > 0
            ? `${dollars(result.surplus)} a month stays in the bank.`
            : 'As much comes in as goes out. One late payment would show.',
        ],
      };
    }
    return {
      headline: counted(result.months, 'month', 'months'),
      lines: [
        `Each month ${dollars(result.shortfall)} more goes out than comes in.`,
        'A month in which half as much is paid would shorten it: try that number too.',
      ],
    };
  },
};

const priceCalculator: Calculator = {
  title: 'Price',
  fields: [
    { name: 'cost', label: 'Material and travel of one sale', unit: 'dollars' },
    { name: 'hours', label: 'Hours in one sale', unit: 'hours' },
    {
      name: 'rate',
      label: 'What an hour costs',
      unit: 'dollars',
      hint: 'Wage plus taxes and insurance; your own hours count.',
    },
    {
      name: 'overhead',
      label: 'Overhead on top of that',
      unit: 'percent',
      hint: 'Rent, insurance, software, advertising, as a share of direct cost.',
    },
    { name: 'margin', label: 'To be left of the price', unit: 'share' },
  ],
  answer({ cost = 0, hours = 0, rate = 0, overhead = 0, margin = 0 }) {
    const { direct, full, price, left } = priceFor({ cost, hours, rate, overhead, margin });
    const wrong = Math.round(full * (1 + margin));
    return {
      headline: dollars(price),
      lines: [
        `Direct cost ${dollars(direct)}, with its share of everything else ${dollars(full)}.`,
        `${dollars(left)} is left.`,
        ...(margin > 0
          ? [
              `Adding ${Math.round(margin * 100)}% to the cost gives ${dollars(wrong)}, which leaves less: the share is of the price.`,
            ]
          : []),
      ],
    };
  },
};

/** The calculators by the names under which words and tools call them. */
export const calculators = {
  'break-even': breakEvenCalculator,
  'cash-runway': cashRunwayCalculator,
  price: priceCalculator,
} satisfies Record<string, Calculator>;

export type CalculatorKind = keyof typeof calculators;

/** The most that a field takes, in dollars or hours, and in percent. */
const MOST = 1e9;
const MOST_PERCENT = 10_000;

/**
 * Reads what was typed: "$1,234.50", "12.5 %", "1.75". Gives cents, hours or a factor. A comma only
 * parts thousands: "12,50" is asked about, since a person may mean 12.50 and would get 1,250.
 * @returns the number, or the sentence to show beside the field
 */
export function readField(text: string, unit: Unit): number | string {
  const bare = text.trim().replace(/^\$\s*|\s*%$/g, '');
  if (bare === '') return 'Write a number; 0 counts.';
  if (/^[-−]/.test(bare)) return 'Write 0 or more.';
  const value = Number(bare.replaceAll(',', ''));
  if (!/^(\d{1,3}(,\d{3})+|\d*)(\.\d*)?$/.test(bare) || !Number.isFinite(value))
    return 'Write digits only, such as 1,250 or 12.50.';
  if (value > (unit === 'percent' ? MOST_PERCENT : MOST)) return 'This is more than we can count.';
  if (unit === 'dollars') return Math.round(value * 100);
  if (unit === 'hours') return value;
  if (unit === 'share' && value >= 100) return 'A share of the price is below 100%.';
  return value / 100;
}

/** Formats a value of the inner unit for its field. */
export function fieldText(value: number, unit: Unit): string {
  const shown =
    unit === 'dollars' ? value / 100 : unit === 'hours' ? value : Math.round(value * 1e4) / 100;
  return shown.toLocaleString('en-US', { maximumFractionDigits: 2 });
}
