import { describe, expect, test } from 'vitest';
import { settle, stillBrowser } from '../../fixtures/memory-browser.ts';
import { backend, open, waiting } from '../../fixtures/queue-backend.ts';

describe('A browser that keeps nothing', () => {
  test('An answer is sent all the same, and the owner is told that it lives in this tab', async () => {
    const server = backend();
    server.online = false;
    const site = stillBrowser({ storage: false });
    const queue = open(site.openTab(), server);
    queue.put('answer', 'q1', 1);
    await settle();
    server.online = true;
    site.wake('connection');
    await settle();
    expect(server.stored.get('q1')).toBe(1);
  });

  test('A full storage takes the newer answer in the place of the older one', async () => {
    const site = stillBrowser();
    const server = backend();
    server.online = false;
    const queue = open(site.openTab(), server);
    queue.put('answer', 'q1', 1);
    site.limits.full = true;
    queue.put('answer', 'q2', 2);
    queue.put('answer', 'q1', 3);
    await settle();
    queue.close();
    const next = open(site.openTab(), server);
    expect(waiting(next)).toEqual([['q1', 3]]);
  });

  test('Something else in the storage, or half an entry, stops nobody', async () => {
    const site = stillBrowser();
    const server = backend();
    site.kept.set('theme', 'dark');
    site.kept.set('trellis-queue:maria:answer:q1:000000000000001-x', '{"kind":"ans');
    const queue = open(site.openTab(), server);
    queue.put('answer', 'q2', 2);
    await settle();
    expect([...server.stored.keys()]).toEqual(['q2']);
  });
});
