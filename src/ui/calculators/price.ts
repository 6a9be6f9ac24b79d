/** What a sale must cost its buyer. Amounts are whole minor units; shares are 0 to below 1. */
export interface PriceInput {
  /** What one sale needs of material, travel and the like. */
  cost: number;
  /** Hours of work in one sale. */
  hours: number;
  /** What an hour costs, wage taxes included. */
  rate: number;
  /** Rent, insurance and other costs of a month, as a share of direct cost. */
  overhead: number;
  /** The share of the price to keep. */
  margin: number;
}

export interface Price {
  /** Material and work. */
  direct: number;
  /** With its share of everything else. */
  full: number;
  /** The price that leaves the margin, rounded up to a whole minor unit. */
  price: number;
  /** What's left of it. */
  left: number;
}

/**
 * Full cost divided by one minus the margin wanted: a margin is a share of the price, so adding the
 * same share to the cost would leave less (the toolbox's pricing worksheet, step 3).
 */
export function priceFor({ cost, hours, rate, overhead, margin }: PriceInput): Price {
  const direct = Math.round(cost + hours * rate);
  const full = Math.round(direct * (1 + overhead));
  // A rounding error after the decimal point must not cost a cent; zero is 0, never -0.
  const price = Math.max(0, Math.ceil(full / (1 - margin) - 1e-6));
  return { direct, full, price, left: price - full };
}
