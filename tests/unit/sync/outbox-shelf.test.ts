import { describe, expect, test } from 'vitest';
import { settle, stillBrowser } from '../../fixtures/memory-browser.ts';
import { backend, open, waiting } from '../../fixtures/outbox-backend.ts';

describe('A browser that keeps nothing', () => {
  test('An answer is sent all the same, and the owner is told that it lives in this tab', async () => {
    const server = backend();
    server.online = false;
    const site = stillBrowser({ storage: false });
    const outbox = open(site.openTab(), server);
    expect(outbox.put('answer', 'q1', 1)).toBe('this-tab');
    await settle();
    server.online = true;
    site.wake('connection');
    await outbox.settled();
    expect(server.stored.get('q1')).toBe(1);
  });

  test('A full storage takes the newer answer in the place of the older one', async () => {
    const site = stillBrowser();
    const server = backend();
    server.online = false;
    const outbox = open(site.openTab(), server);
    outbox.put('answer', 'q1', 1);
    site.limits.full = true;
    expect(outbox.put('answer', 'q2', 2)).toBe('this-tab');
    expect(outbox.put('answer', 'q1', 3)).toBe('kept');
    await settle();
    outbox.close();
    const next = open(site.openTab(), server);
    expect(waiting(next)).toEqual([['q1', 3]]);
  });

  test('Something else in the storage, or half an entry, stops nobody', async () => {
    const site = stillBrowser();
    const server = backend();
    site.kept.set('theme', 'dark');
    site.kept.set('trellis-outbox:maria:answer:q1:000000000000001-x', '{"kind":"ans');
    const outbox = open(site.openTab(), server);
    outbox.put('answer', 'q2', 2);
    await outbox.settled();
    expect([...server.stored.keys()]).toEqual(['q2']);
  });
});
