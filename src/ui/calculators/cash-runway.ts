/** How long the money lasts. All amounts are whole minor units. */
export interface CashRunwayInput {
  /** In the bank today. */
  cash: number;
  /** Money in per month. */
  income: number;
  /** Money out per month. */
  costs: number;
}

export type CashRunway =
  /** `months` is rounded down to a tenth, so it never promises more than there is. */
  | { name: 'ends'; months: number; shortfall: number }
  /** Income covers the costs. */
  | { name: 'lasts'; surplus: number };

/** Cash divided by the net burn: how much more goes out than comes in each month. */
export function cashRunway({ cash, income, costs }: CashRunwayInput): CashRunway {
  const shortfall = costs - income;
  if (shortfall <= 0) return { name: 'lasts', surplus: -shortfall };
  return { name: 'ends', months: Math.floor((cash * 10) / shortfall) / 10, shortfall };
}
