/** The price a sale needs. Amounts are whole minor units; shares are at least 0 and below 1. */
export interface PriceInput {
  /** Material, travel and the like for one sale. */
  cost: number;
  /** Hours of work in one sale. */
  hours: number;
  /** What an hour costs, wage taxes included. */
  rate: number;
  /** Rent, insurance and other monthly costs, as a share of direct cost. */
  overhead: number;
  /** The profit margin: the share of the price to keep. */
  margin: number;
}

export interface Price {
  /** Material and work. */
  direct: number;
  /** Direct cost plus overhead. */
  full: number;
  /** The price that leaves the margin, rounded up to a whole minor unit. */
  price: number;
  /** What's left of the price after full cost. */
  left: number;
}

/**
 * Full cost divided by one minus the margin: a margin is a share of the price, so adding the same
 * share to the cost would leave less (the toolbox's pricing worksheet, step 3).
 */
export function priceFor({ cost, hours, rate, overhead, margin }: PriceInput): Price {
  const direct = Math.round(cost + hours * rate);
  const full = Math.round(direct * (1 + overhead));
  // Floating-point error must not add a cent; zero is 0, never -0.
  const price = Math.max(0, Math.ceil(full / (1 - margin) - 1e-6));
  return { direct, full, price, left: price - full };
}
