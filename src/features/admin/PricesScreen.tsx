import { useState } from 'react';
import type { PriceRow } from '#data/prices.ts';
import { PERIOD_RHYTHM } from '#domain/order.ts';
import { dayText } from '#lib/locale/dates.ts';
import { money } from '#lib/locale/money.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { Button } from '#ui/Button.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { useOpenedPart } from '#ui/use-part.ts';

interface PricesProps {
  prices: PriceRow[];
  timeZone: string;
}

const loadDialog = () => import('./orders/PriceDialog.tsx');

const priceText = ({ amount_minor, currency, every }: PriceRow) =>
  `${money(amount_minor, currency)}${PERIOD_RHYTHM[every]}`;

/** What everything costs, and what it cost before. */
function PricesScreen({ prices: initial, timeZone }: PricesProps) {
  const [prices, setPrices] = useState(initial);
  const [changing, setChanging] = useState<PriceRow | null>(null);
  const close = () => setChanging(null);
  const dialog = useOpenedPart(loadDialog, changing !== null, close);
  return (
    <div className="flex max-w-3xl flex-col gap-6">
      <header>
        <p className="mb-2 text-sm">
          <a className="link" href={hrefFor('/admin/orders')}>
            Orders
          </a>
        </p>
        <h1>Prices</h1>
        <p className="mt-2 text-muted">
          Before tax. A new price counts for new orders; quotes and memberships keep theirs. The
          pricing page shows it within a minute. Change other texts that name a price by hand.
        </p>
      </header>
      <ul className="flex flex-col gap-3">
        {prices.map((price) => (
          <li
            key={`${price.plan_key} ${price.every}`}
            className="card flex items-center justify-between gap-x-4 p-4"
          >
            <div className="min-w-0">
              <h2 className="text-base font-semibold">
                {price.name}: {priceText(price)}
              </h2>
              <p className="text-sm text-muted">
                Since {dayText(price.since, timeZone)}
                {price.earlier.map(
                  ({ amount_minor, currency, until }) =>
                    `; ${money(amount_minor, currency)} until ${dayText(until, timeZone)}`,
                )}
              </p>
            </div>
            <Button
              size="small"
              variant="secondary"
              needsScript
              aria-label={`Change the price of ${price.name}, ${priceText(price)}`}
              onClick={() => setChanging(price)}
            >
              Change
            </Button>
          </li>
        ))}
      </ul>
      {changing && dialog && (
        <dialog.PriceDialog price={changing} onChange={setPrices} onClose={close} />
      )}
    </div>
  );
}

export default screen(PricesScreen);
