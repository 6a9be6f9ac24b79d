import { expect, test, vi } from 'vitest';
import { createNewBusinessStore } from '#features/businesses/new-business-store.ts';
import { AppError } from '#lib/errors.ts';
import type { BegunBusiness } from '#stores/outbox.ts';
import { createOutbox } from '#sync/outbox.ts';
import { settle, stillBrowser } from '../../fixtures/memory-browser.ts';

/** A page on which a business is added; what arrives at the database is in `sent`. */
function page(browser = stillBrowser(), state = { online: true }) {
  const sent: BegunBusiness[] = [];
  const made = vi.fn();
  let ids = 0;
  const store = createNewBusinessStore(
    {
      made,
      signedOut: vi.fn(),
      environment: () => browser.openTab(),
      openOutbox: (environment) =>
        createOutbox({
          owner: 'olive',
          environment,
          signedInAs: async () => 'olive',
          classify: (error) =>
            (error as AppError).kind === 'network' ? 'later' : { refused: 'No.' },
          senders: {
            business: {
              batch: 1,
              async send([entry]) {
                if (!state.online) throw new AppError('network');
                sent.push(structuredClone(entry?.body as BegunBusiness));
              },
            },
          },
        }),
    },
    () => {
      ids += 1;
      return `business-${ids}`;
    },
  );
  const close = store.open();
  return { store, browser, sent, made, state, close };
}

test('A business is made once it has a name, and not before', async () => {
  const { store, browser, sent, made } = page();
  store.type('postalCode', '87104');
  await browser.pass(800);
  expect(sent).toEqual([]);
  expect(store.problems()).toEqual({ name: 'Give the business a name.' });
  store.type('name', 'Marsh Bakery');
  expect(store.$state.get().name).toBe('saving');
  await browser.pass(800);
  expect(sent).toMatchObject([{ id: 'business-1', input: { name: 'Marsh Bakery' }, earlier: {} }]);
  expect(store.$state.get().name).toBe('saved');
  expect(made).toHaveBeenCalledExactlyOnceWith('business-1');
});

test('What changes afterwards goes along with what was sent before, under the same id', async () => {
  const { store, browser, sent, made } = page();
  store.type('name', 'Mar');
  await browser.pass(800);
  store.type('name', 'Marsh');
  await browser.pass(800);
  store.type('name', 'Marsh Bakery');
  await browser.pass(800);
  expect(sent.at(-1)).toMatchObject({
    id: 'business-1',
    input: { name: 'Marsh Bakery' },
    earlier: { name: ['Mar', 'Marsh'] },
  });
  expect(made).toHaveBeenCalledOnce();
});

test('Where the browser keeps nothing it does not say that it does', async () => {
  const { store, browser, state } = page();
  state.online = false;
  store.type('name', 'Marsh');
  await browser.pass(800);
  expect(store.$state.get()).toEqual({ name: 'not-sent', kept: true });
  const refusing = page(stillBrowser({ storage: false }), { online: false });
  refusing.store.type('name', 'Marsh');
  await refusing.browser.pass(800);
  expect(refusing.store.$state.get()).toEqual({ name: 'not-sent', kept: false });
});

test('Without a connection it says so, and a page opened later goes on with it', async () => {
  const first = page();
  first.state.online = false;
  first.store.type('name', 'Marsh Bakery');
  await first.browser.pass(800);
  expect(first.store.$state.get().name).toBe('not-sent');
  first.close();
  const second = page(first.browser, { online: false });
  expect(second.store.$input.get().name).toBe('Marsh Bakery');
  expect(second.store.id()).toBe('business-1');
  second.state.online = true;
  second.browser.wake('connection');
  await settle();
  expect(second.store.$state.get().name).toBe('saved');
  expect(second.sent).toHaveLength(1);
});

test('What does not fit is not sent, and said beside its field', async () => {
  const { store, browser, sent } = page();
  store.type('name', 'Marsh Bakery');
  store.type('postalCode', '87104!');
  await browser.pass(800);
  expect(sent).toEqual([]);
  expect(store.problems()).toEqual({
    postalCode: 'A postal code has letters, digits and spaces only.',
  });
});
