import { expect, test, vi } from 'vitest';
import { createNewBusinessStore } from '#features/businesses/new-business-store.ts';
import { AppError } from '#lib/errors.ts';
import { businessKind } from '#sync/kinds/business.ts';
import { settle, stillBrowser } from '../../fixtures/memory-browser.ts';
import { sentTo, syncOf } from '../../fixtures/test-sync.ts';

/** A page for adding a business. `sent` lists what reached the database. */
function page(browser = stillBrowser(), state = { online: true }) {
  const sent: object[] = [];
  const onCreated = vi.fn();
  const sync = syncOf('olive', browser.openTab(), [
    sentTo(businessKind, async (change, id) => {
      if (!state.online) throw new AppError('network');
      sent.push(structuredClone({ id, ...change }));
    }),
  ]);
  const store = createNewBusinessStore({ onCreated, openSync: () => sync });
  const stop = store.open();
  const close = () => {
    stop();
    sync.close();
  };
  return { store, browser, sent, onCreated, state, close };
}

test('A business is made once it has a name, and not before', async () => {
  const { store, browser, sent, onCreated } = page();
  store.type('postalCode', '87104');
  await browser.pass(800);
  expect(sent).toEqual([]);
  expect(store.problems()).toEqual({ name: 'Give the business a name.' });
  store.type('name', 'Marsh Bakery');
  expect(store.$status.get()?.name).toBe('saving');
  await browser.pass(800);
  expect(sent).toMatchObject([{ id: store.id(), value: { name: 'Marsh Bakery' }, base: {} }]);
  expect(store.$status.get()?.name).toBe('saved');
  expect(onCreated).toHaveBeenCalledExactlyOnceWith(store.id());
});

test('What changes afterwards goes along with what was sent before, under the same id', async () => {
  const { store, browser, sent, onCreated } = page();
  store.type('name', 'Mar');
  await browser.pass(800);
  store.type('name', 'Marsh');
  await browser.pass(800);
  store.type('name', 'Marsh Bakery');
  await browser.pass(800);
  expect(sent.at(-1)).toMatchObject({
    id: store.id(),
    value: { name: 'Marsh Bakery' },
    base: { name: ['Mar', 'Marsh'] },
  });
  expect(onCreated).toHaveBeenCalledOnce();
});

test('Without a connection it says so, and a page opened later goes on with it', async () => {
  const first = page();
  first.state.online = false;
  first.store.type('name', 'Marsh Bakery');
  await first.browser.pass(800);
  expect(first.store.$status.get()?.name).toBe('offline');
  first.close();
  const second = page(first.browser, { online: false });
  expect(second.store.$input.get().name).toBe('Marsh Bakery');
  expect(second.store.id()).toBe(first.store.id());
  second.state.online = true;
  second.browser.wake('connection');
  await settle();
  expect(second.store.$status.get()?.name).toBe('saved');
  expect(second.sent).toHaveLength(1);
});

test('What does not fit is not sent, and said beside its field', async () => {
  const { store, browser, sent } = page();
  store.type('name', 'Marsh Bakery');
  store.type('postalCode', '87104!');
  await browser.pass(800);
  expect(sent).toMatchObject([{ value: { name: 'Marsh Bakery', postalCode: '' } }]);
  expect(store.problems()).toEqual({
    postalCode: 'Use only letters, digits and spaces.',
  });
});
