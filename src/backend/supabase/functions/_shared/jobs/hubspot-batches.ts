import { RemoteError } from '../remote-api.ts';

/**
 * Writes a batch. If HubSpot refuses it as a whole, or leaves some out, they're tried in halves until
 * a bad one is alone.
 * @param write resolves to those that it learned nothing about
 * @param refuse takes a bad one and why it was refused
 * @throws RemoteError if it isn't about what was sent
 */
export async function writeInHalves<Item>(
  items: readonly Item[],
  write: (items: readonly Item[]) => Promise<readonly Item[]>,
  refuse: (item: Item, reason: string) => void,
): Promise<void> {
  let left = items;
  let reason = 'HubSpot didn’t say what became of this.';
  try {
    left = await write(items);
  } catch (error) {
    if (!(error instanceof RemoteError) || !['refused', 'gone'].includes(error.why)) throw error;
    reason = error.message;
  }
  const [only] = left;
  if (only === undefined) return;
  if (left.length === 1 && items.length === 1) {
    refuse(only, reason);
    return;
  }
  const half = Math.ceil(left.length / 2);
  await writeInHalves(left.slice(0, half), write, refuse);
  if (half < left.length) await writeInHalves(left.slice(half), write, refuse);
}
