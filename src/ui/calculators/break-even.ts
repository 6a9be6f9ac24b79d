/** What a business must sell before it earns anything. All amounts are whole minor units. */
export interface BreakEvenInput {
  /** Monthly costs that don't depend on sales. */
  fixed: number;
  /** What one sale brings in. */
  price: number;
  /** What one sale costs on its own. */
  variable: number;
}

export type BreakEven =
  | {
      name: 'reached';
      /** Whole sales per month, enough to cover the fixed costs. */
      units: number;
      /** What they bring in. */
      sales: number;
      /** What one sale contributes to the fixed costs. */
      margin: number;
    }
  /** One sale costs as much as it brings in, or more. */
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
