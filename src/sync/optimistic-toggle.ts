import type { WritableAtom } from 'nanostores';

interface Press<Value> {
  /** The value as this press makes it. */
  change: (value: Value) => Value;
  /** Sends it. */
  save: () => Promise<void>;
  /** Tells the person that it stayed as it was. */
  failed: (thrown: unknown) => void;
}

/**
 * For switches that are saved as they are pressed. A press stands at once on the page and is sent after
 * those before it, so that the last one stands in the database too; once all are answered, the page
 * shows what is stored, whichever of them was lost.
 * @param $shown what the page shows; at first as it is stored
 * @returns what a press calls; it resolves when the press is answered, and never rejects
 */
export function createOptimisticToggle<Value>(
  $shown: WritableAtom<Value>,
): (press: Press<Value>) => Promise<void> {
  let stored = $shown.get();
  let last: Promise<void> = Promise.resolve();
  return ({ change, save, failed }) => {
    $shown.set(change($shown.get()));
    const mine = last.then(async () => {
      try {
        await save();
        stored = change(stored);
      } catch (thrown) {
        failed(thrown);
      }
      if (last === mine) $shown.set(stored);
    });
    last = mine;
    return mine;
  };
}
