import { afterEach, expect, test, vi } from 'vitest';
import { forgetPrivate } from '#lib/browser/forget-private.ts';
import { QueueStorage } from '#sync/queue-storage.ts';
import { memoryBrowser } from '../../fixtures/memory-browser.ts';

afterEach(() => vi.unstubAllGlobals());

test('Signing out removes private notes that weren’t sent, and keeps other changes', () => {
  const tab = memoryBrowser().openTab();
  const entries = new QueueStorage('ruth', tab);
  entries.put('session', 's1', { note: 'Only for me' });
  entries.put('session', 's2', { note: 'Not finished' }, { refused: 'Not saved yet.' });
  entries.put('message', 'm1', { body: 'See you' });
  vi.stubGlobal('localStorage', tab.storage);
  vi.stubGlobal('sessionStorage', memoryBrowser().openTab().storage);
  forgetPrivate();
  expect(entries.newest().map(({ kind }) => kind)).toEqual(['message']);
});

test('A browser that stores nothing has nothing to forget', () => {
  vi.stubGlobal('localStorage', undefined);
  expect(() => forgetPrivate()).not.toThrow();
});
