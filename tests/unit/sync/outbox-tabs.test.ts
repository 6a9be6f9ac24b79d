import { describe, expect, test } from 'vitest';
import { settle, stillBrowser } from '../../fixtures/memory-browser.ts';
import { backend, open, waiting } from '../../fixtures/outbox-backend.ts';

describe('An owner with two tabs', () => {
  test.each([true, false])(
    'The newer answer stands, whichever tab gave it (locks: %s)',
    async (locks) => {
      const site = stillBrowser({ locks });
      const server = backend();
      server.online = false;
      const [one, two] = [open(site.openTab(), server), open(site.openTab(), server)];
      one.put('answer', 'q1', 1);
      two.put('answer', 'q1', 2);
      one.put('answer', 'q2', 4);
      two.put('answer', 'q2', 3);
      await settle();
      expect(waiting(one)).toEqual([
        ['q1', 2],
        ['q2', 3],
      ]);
      expect(waiting(two)).toEqual(waiting(one));
      server.online = true;
      site.wake('connection');
      await Promise.all([one.settled(), two.settled()]);
      expect(server.stored).toEqual(
        new Map([
          ['q1', 2],
          ['q2', 3],
        ]),
      );
      expect(site.kept.size).toBe(0);
    },
  );

  test('One of them sends, and both know when it is done', async () => {
    const site = stillBrowser();
    const server = backend();
    const [one, two] = [open(site.openTab(), server), open(site.openTab(), server)];
    one.put('answer', 'q1', 1);
    await Promise.all([one.settled(), two.settled()]);
    expect(server.requests).toEqual([['q1']]);
    expect(two.$entries.get()).toEqual([]);
    expect(two.$state.get().name).toBe('empty');
  });

  test('A tab that is closed before it could send leaves the work to the other', async () => {
    const site = stillBrowser();
    const server = backend();
    const signedIn = Promise.withResolvers<string | null>();
    const one = open(site.openTab(), server, { signedInAs: () => signedIn.promise });
    const two = open(site.openTab(), server);
    one.put('answer', 'q1', 1);
    one.close();
    signedIn.resolve(null);
    await two.settled();
    expect(server.stored.get('q1')).toBe(1);
  });

  test('What another outbox of the same tab has sent waits no more', async () => {
    const site = stillBrowser();
    const server = backend();
    server.online = false;
    const tab = site.openTab();
    const [one, two] = [open(tab, server), open(tab, server)];
    one.put('answer', 'q1', 1);
    two.flush();
    await settle();
    server.online = true;
    two.flush();
    await settle();
    await site.pass(60_000);
    expect(server.stored.get('q1')).toBe(1);
    expect([one, two].map(({ $state }) => $state.get().name)).toEqual(['empty', 'empty']);
    expect(one.$entries.get()).toEqual([]);
  });
});
