import { describe, expect, test, vi } from 'vitest';
import { withKnown } from '#features/businesses/facts-store.ts';
import { $unsaved } from '#lib/browser/unsaved.ts';
import { AppError } from '#lib/errors.ts';
import { Autosave } from '#sync/autosave.ts';
import { planKind } from '#sync/kinds/plan.ts';
import { settle, stillBrowser } from '../../fixtures/memory-browser.ts';
import { sentTo, syncOf } from '../../fixtures/test-sync.ts';

type Name = 'offer' | 'costs';
const fieldOf = (key: string): Name => (key.endsWith('costs') ? 'costs' : 'offer');
interface Stored {
  value: string;
  revision: number;
  by: string;
}

/** A database that several pages write to, each in its own browser unless one is given. */
function office() {
  const rows: Record<Name, Stored> = {
    offer: { value: 'Bread', revision: 1, by: 'Olive' },
    costs: { value: '', revision: 0, by: '' },
  };
  const state = { online: true, signedIn: true, refuse: '' };

  function page(name: string, browser = stillBrowser(), isOpen = true) {
    const reads = vi.fn(async () => {
      if (!state.online) throw new AppError('network');
      return structuredClone(rows);
    });
    async function save(field: Name, value: string, base: { revision: number; editor: string }) {
      if (!state.online) throw new AppError('network');
      if (state.refuse) throw new AppError('invalid', state.refuse);
      const row = rows[field];
      if (row.value === value.trim()) return;
      if (row.revision > base.revision && row.by !== base.editor) throw new AppError('conflict');
      rows[field] = { value: value.trim(), revision: row.revision + 1, by: base.editor };
    }
    const sync = syncOf(
      name,
      browser.openTab(),
      [sentTo(planKind, ({ value, base }, key) => save(fieldOf(key), value, base))],
      async () => (state.signedIn ? name : null),
    );
    const kept = new Autosave<Name, string, Stored, { revision: number; editor: string }>({
      kind: planKind,
      keyOf: (field) => `bakery/${field}`,
      initial: structuredClone(rows),
      shownOf: ({ value }) => value,
      normalize: (_field, value) => value.trim(),
      baseOf: ({ revision }) => ({ revision, editor: name }),
      extend: (base) => base,
      isStale: (base, { revision }) => revision > base.revision,
      afterSaving: (before, value) => ({ ...before, value }),
      merge: (theirs, mine) => `${theirs}\n${mine}`,
      read: reads,
      openSync: () => sync,
    });
    let stop = () => {};
    const open = () => {
      stop = kept.open();
    };
    if (isOpen) open();
    const close = () => {
      stop();
      sync.close();
    };
    const typed = async (field: Name, value: string) => {
      kept.type(field, value);
      await browser.pass(600);
    };
    const shows = (field: Name) => {
      const { value, status } = kept.$fields.get()[field];
      return [value, status?.name ?? null];
    };
    return { kept, browser, sync, typed, shows, open, close, reads };
  }
  return { rows, state, page };
}

describe('A field that is saved as you type', () => {
  test('is sent when the typing pauses, and says that it is saved only when it is', async () => {
    const { rows, page } = office();
    const { kept, browser, shows } = page('olive');
    kept.type('costs', 'Re');
    await browser.pass(300);
    kept.type('costs', 'Rent');
    expect(shows('costs')).toEqual(['Rent', 'saving']);
    expect($unsaved.get()).toBe(true);
    expect(rows.costs.value).toBe('');
    await browser.pass(600);
    expect(rows.costs).toMatchObject({ value: 'Rent', revision: 1 });
    expect(shows('costs')).toEqual(['Rent', 'saved']);
    expect($unsaved.get()).toBe(false);
    expect(shows('offer')).toEqual(['Bread', null]);
  });

  test('is stored and sent if it changes before the page follows it', async () => {
    const { rows, page } = office();
    const { kept, browser, sync, shows, open } = page('olive', stillBrowser(), false);
    kept.type('costs', 'Rent');
    expect(sync.unsentOf(planKind)).toMatchObject([
      { key: 'bakery/costs', value: { value: 'Rent' } },
    ]);
    open();
    expect(shows('costs')).toEqual(['Rent', 'saving']);
    await browser.pass(600);
    expect(rows.costs.value).toBe('Rent');
    expect(shows('costs')).toEqual(['Rent', 'saved']);
  });

  test('is put away when the page is left in the middle of a word', async () => {
    const { rows, page } = office();
    const { kept } = page('olive');
    kept.type('costs', 'Ren');
    kept.flush();
    await settle();
    expect(rows.costs.value).toBe('Ren');
  });

  test('waits for the connection, over a closed tab too', async () => {
    const { rows, state, page } = office();
    const first = page('olive');
    state.online = false;
    await first.typed('costs', 'Rent');
    expect(first.shows('costs')).toEqual(['Rent', 'offline']);
    first.close();
    const second = page('olive', first.browser);
    expect(second.shows('costs')[0]).toBe('Rent');
    state.online = true;
    first.browser.wake('connection');
    await settle();
    expect(rows.costs.value).toBe('Rent');
    expect(second.shows('costs')).toEqual(['Rent', 'saved']);
  });

  test('waits for the password when the session is over', async () => {
    const { rows, state, page } = office();
    const { kept, typed, shows, sync } = page('olive');
    state.signedIn = false;
    await typed('costs', 'Rent');
    expect(shows('costs')).toEqual(['Rent', 'signed-out']);
    expect(sync.$isSignedOut.get()).toBe(true);
    state.signedIn = true;
    kept.flush();
    await settle();
    expect(rows.costs.value).toBe('Rent');
    expect(shows('costs')).toEqual(['Rent', 'saved']);
  });

  test('says that it lives in this tab only where the browser keeps nothing', async () => {
    const { state, page } = office();
    const { typed, shows, browser } = page('olive');
    browser.limits.full = true;
    state.online = false;
    await typed('costs', 'Rent');
    expect(shows('costs')).toEqual(['Rent', 'memory-only']);
  });

  test('keeps what was refused, and sends it when it was mended', async () => {
    const { rows, state, page } = office();
    const { kept, typed, shows } = page('olive');
    state.refuse = 'Keep it to 400 characters.';
    await typed('costs', 'Too long');
    expect(shows('costs')).toEqual(['Too long', 'refused']);
    expect(kept.$fields.get().costs.status).toMatchObject({ reason: 'Keep it to 400 characters.' });
    state.refuse = '';
    await typed('costs', 'Short');
    expect(rows.costs.value).toBe('Short');
    expect(shows('costs')).toEqual(['Short', 'saved']);
  });

  test('is never in its own way, however fast the person types', async () => {
    const { rows, page } = office();
    const { kept, browser, shows } = page('olive');
    for (const value of ['R', 'Re', 'Ren', 'Rent']) {
      kept.type('costs', value);
      kept.flush();
    }
    await browser.pass(600);
    expect(rows.costs.value).toBe('Rent');
    expect(shows('costs')).toEqual(['Rent', 'saved']);
  });
});

test('Words that are stored without the space behind them are still the person’s own', async () => {
  const { rows, page } = office();
  const { browser, typed, shows } = page('olive');
  await typed('costs', 'Rent \n');
  expect(rows.costs.value).toBe('Rent');
  for (let looks = 0; looks < 2; looks += 1) {
    browser.wake('shown');
    await settle();
  }
  expect(shows('costs')).toEqual(['Rent \n', 'saved']);
});

test('What a page knows of a field begins with what stood there, however long the person types offline', () => {
  const typed = Array.from({ length: 40 }, (_, at) => 'x'.repeat(at + 1));
  const known = typed.reduce(withKnown, ['Bread']);
  expect(known).toHaveLength(20);
  expect([known[0], known.at(-1)]).toEqual(['Bread', typed.at(-1)]);
});

test('What another tab of the same browser has sent is known here, and in nobody’s way', async () => {
  const { rows, page } = office();
  const browser = stillBrowser();
  const one = page('olive', browser);
  const other = page('olive', browser);
  await one.typed('costs', 'Rent');
  await settle();
  expect(other.shows('costs')).toEqual(['Rent', 'saved']);
  await other.typed('costs', 'Rent and power');
  expect(rows.costs.value).toBe('Rent and power');
});

describe('Somebody who presses Save', () => {
  test('waits until all of it has arrived', async () => {
    const { rows, page } = office();
    const { kept } = page('olive');
    kept.type('costs', 'Rent');
    kept.flush();
    await kept.answered();
    expect(rows.costs.value).toBe('Rent');
  });

  test('hears that it waits for the connection, and gives it one more try with the next press', async () => {
    const { state, page, rows } = office();
    const { kept, browser, shows } = page('olive');
    state.online = false;
    kept.type('costs', 'Rent');
    kept.flush();
    await kept.answered();
    expect(shows('costs')).toEqual(['Rent', 'offline']);
    const still = kept.answered();
    await browser.pass(3000);
    await still;
    expect(shows('costs')).toEqual(['Rent', 'offline']);
    state.online = true;
    kept.flush();
    await kept.answered();
    expect(rows.costs.value).toBe('Rent');
  });
});

describe('Two people in one plan', () => {
  test('Both keep what they wrote in different fields, and see the other’s', async () => {
    const { rows, page } = office();
    const olive = page('olive');
    const cole = page('cole');
    await olive.typed('offer', 'Bread and rolls');
    await cole.typed('costs', 'Wages');
    expect([rows.offer.value, rows.costs.value]).toEqual(['Bread and rolls', 'Wages']);
    cole.browser.wake('shown');
    await settle();
    expect(cole.shows('offer')).toEqual(['Bread and rolls', 'updated']);
  });

  async function conflict() {
    const all = office();
    const olive = all.page('olive');
    const cole = all.page('cole');
    await olive.typed('offer', 'Rolls');
    await cole.typed('offer', 'Cake');
    await settle();
    return { ...all, olive, cole };
  }

  test('In the same field the second sees both versions, and nothing is overwritten', async () => {
    const { rows, cole } = await conflict();
    expect(rows.offer.value).toBe('Rolls');
    expect(cole.shows('offer')).toEqual(['Cake', 'conflict']);
    expect(cole.kept.$fields.get().offer.status).toMatchObject({
      theirs: { value: 'Rolls', by: 'olive' },
    });
    // What the user types before choosing is kept but not sent.
    cole.kept.type('offer', 'Cake!');
    await cole.browser.pass(600);
    expect(cole.shows('offer')).toEqual(['Cake!', 'conflict']);
    expect(rows.offer.value).toBe('Rolls');
  });

  test.each([
    ['mine', 'Cake', 'Cake'],
    ['theirs', 'Rolls', 'Rolls'],
    ['both', 'Rolls\nCake', 'Rolls\nCake'],
  ] as const)('They choose %s', async (which, shown, saved) => {
    const { rows, cole } = await conflict();
    cole.kept.choose('offer', which);
    await cole.browser.pass(600);
    expect(cole.shows('offer')).toEqual([shown, 'saved']);
    expect(rows.offer.value).toBe(saved);
    await cole.typed('offer', 'Cake again');
    expect(rows.offer.value).toBe('Cake again');
  });

  test('The choice is still there after the tab was closed', async () => {
    const { page, cole } = await conflict();
    cole.close();
    const again = page('cole', cole.browser);
    expect(again.shows('offer')).toEqual(['Cake', 'conflict']);
    again.kept.choose('offer', 'theirs');
    expect(page('cole', cole.browser).shows('offer')).toEqual(['Rolls', null]);
  });

  test('Two who wrote the same have nothing to choose', async () => {
    const { page } = office();
    const olive = page('olive');
    const cole = page('cole');
    await olive.typed('offer', 'Rolls');
    await cole.typed('offer', 'Rolls');
    expect(cole.shows('offer')).toEqual(['Rolls', 'saved']);
  });

  test('An answer that was on its way does not take back what is typed meanwhile', async () => {
    const { page, rows } = office();
    const cole = page('cole');
    rows.offer = { value: 'Older', revision: 2, by: 'olive' };
    const { promise, resolve } = Promise.withResolvers<typeof rows>();
    cole.reads.mockImplementationOnce(() => promise);
    cole.browser.wake('shown');
    await settle();
    cole.kept.type('costs', 'Wages');
    resolve(structuredClone(rows));
    await settle();
    expect(cole.shows('costs')).toEqual(['Wages', 'saving']);
    expect(cole.shows('offer')).toEqual(['Older', 'updated']);
  });
});
