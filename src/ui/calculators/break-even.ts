/** How much a business must sell before it makes a profit. All amounts are whole minor units. */
export interface BreakEvenInput {
  /** Monthly costs that don't depend on sales. */
  fixed: number;
  /** The price of one sale. */
  price: number;
  /** The variable cost of one sale. */
  variable: number;
}

export type BreakEven =
  | {
      name: 'reached';
      /** Whole sales per month, enough to cover the fixed costs. */
      units: number;
      /** Revenue from these sales. */
      sales: number;
      /** What one sale contributes to the fixed costs. */
      margin: number;
    }
  /** One sale costs at least as much as it brings in. */
  | { name: 'never'; loss: number };

/**
 * Break-even point in units: fixed costs divided by the contribution margin of one unit, rounded up
 * to a whole sale (any text on cost-volume-profit analysis).
 */
export function breakEven({ fixed, price, variable }: BreakEvenInput): BreakEven {
  const margin = price - variable;
  if (margin <= 0) return { name: 'never', loss: -margin };
  const units = Math.ceil(fixed / margin);
  return { name: 'reached', units, sales: units * price, margin };
}
