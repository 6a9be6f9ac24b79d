/** How long the money lasts. All amounts are whole minor units. */
export interface CashRunwayInput {
  /** In the bank today. */
  cash: number;
  /** Money that comes in, a month. */
  income: number;
  /** Money that goes out, a month. */
  costs: number;
}

export type CashRunway =
  /** `months` is cut to a tenth: it promises nothing that is not there. */
  | { name: 'ends'; months: number; shortfall: number }
  /** As much comes in as goes out, or more. */
  | { name: 'lasts'; surplus: number };

/** Cash divided by what goes out beyond what comes in, a month ("net burn"). */
export function cashRunway({ cash, income, costs }: CashRunwayInput): CashRunway {
  const shortfall = costs - income;
  if (shortfall <= 0) return { name: 'lasts', surplus: -shortfall };
  return { name: 'ends', months: Math.floor((cash * 10) / shortfall) / 10, shortfall };
}
