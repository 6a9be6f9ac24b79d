import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { conversationServer } from '../../fixtures/conversation-server.ts';
import { openTab, pass, stopTime } from '../../fixtures/conversation-tab.ts';
import { memoryBrowser } from '../../fixtures/memory-browser.ts';

stopTime();

describe('Whatever happens on the way', () => {
  const step = fc.record({
    do: fc.constantFrom(
      'say',
      'edit',
      'remove',
      'cut',
      'mend',
      'pass',
      'reload',
      'live',
      'requests',
    ),
    who: fc.nat(1),
    which: fc.nat(),
    ms: fc.nat(3_000),
    /** What happens to live messages, or to requests. */
    fate: fc.constantFrom('fine', 'lost', 'twice', 'late', 'unanswered'),
  });

  test('Every page ends with what the database has, each once and in order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const server = conversationServer(['maria', 'tom']);
        const names = ['maria', 'tom'] as const;
        const browsers = names.map(() => memoryBrowser());
        const tabs = names.map((name, place) => openTab(server, name, browsers[place]));
        const held: (() => void)[] = [];
        const wrote = new Map<string, string[]>(names.map((name) => [name, []]));
        let said = 0;
        await pass();
        for (const each of steps) {
          const tab = tabs[each.who];
          const name = names[each.who] ?? 'maria';
          switch (each.do) {
            case 'say':
              said += 1;
              tab?.say(`${said}`);
              wrote.get(name)?.push(`${said}`);
              break;
            case 'edit':
            case 'remove': {
              const mine = server.messages.filter(
                (message) => message.author_id === name && message.body !== null,
              );
              const one = mine[each.which % Math.max(1, mine.length)];
              if (one && each.do === 'edit') void tab?.store.editing.edit(one.id, `${one.body}`);
              if (one && each.do === 'remove') void tab?.store.editing.remove(one.id);
              break;
            }
            case 'cut':
            case 'mend':
              tab?.live[each.do]();
              break;
            case 'pass':
              await pass(each.ms);
              for (const deliver of held.splice(0).reverse()) deliver();
              break;
            case 'reload':
              tab?.close();
              tabs[each.who] = openTab(server, name, browsers[each.who]);
              break;
            case 'live':
              server.carryBy((deliver) => {
                if (each.fate === 'late') held.push(deliver);
                else if (each.fate !== 'lost') deliver();
                if (each.fate === 'twice') deliver();
              });
              break;
            case 'requests':
              server.refuseWith((call) => {
                const fails = call.endsWith(', answer') ? 'unanswered' : 'lost';
                return each.fate === fails ? 'network' : null;
              });
              break;
          }
        }
        server.refuseWith(() => null);
        server.carryBy((deliver) => deliver());
        for (const tab of tabs) {
          tab.live.cut();
          tab.live.mend();
        }
        for (const browser of browsers) browser.wake('connection');
        await pass(120_000);
        const expected = server.messages.map(({ id, seq, body }) => ({ id, seq, body }));
        for (const tab of tabs) {
          expect(tab.store.$messages.get().map(({ id, seq, body }) => ({ id, seq, body }))).toEqual(
            expected,
          );
          tab.close();
        }
        for (const [name, words] of wrote) {
          const mine = server.messages.filter((message) => message.author_id === name);
          expect(mine).toHaveLength(words.length);
          const kept = mine.map(({ body }, place) => body ?? words[place]);
          expect(kept).toEqual(words);
        }
        // Stores unmount a second after their last listener leaves, then their dependencies do.
        await pass(5_000);
        expect(vi.getTimerCount()).toBe(0);
      }),
      { numRuns: 150 },
    );
  }, 60_000);
});
