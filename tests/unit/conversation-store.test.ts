import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createMessage, saveMessageDraft } from '#data/messages.ts';
import type { ConversationDoors } from '#features/messages/conversation.ts';
import { createConversationStore } from '#features/messages/conversation-store.ts';
import { openOutbox } from '#stores/outbox.ts';
import {
  CONVERSATION_ID,
  type ConversationServer,
  conversationServer,
} from '../fixtures/conversation-server.ts';
import { memoryBrowser } from '../fixtures/memory-browser.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-21T12:00:00Z') });
});
afterEach(() => {
  vi.useRealTimers();
});

const pass = (milliseconds = 0) => vi.advanceTimersByTimeAsync(milliseconds);

type Browser = ReturnType<typeof memoryBrowser>;

/** Opens the page of the conversation in a tab. */
function openTab(server: ConversationServer, me: string, browser: Browser = memoryBrowser()) {
  const live = server.live();
  const failed = vi.fn<ConversationDoors['failed']>();
  const unread = vi.fn();
  const signedOut = vi.fn();
  const door = server.db(me);
  const store = createConversationStore(
    {
      ...{ me, failed, unread, signedOut, db: async () => door },
      openLive: () => live,
      openOutbox: (sent) =>
        openOutbox(
          me,
          {
            saveAnswers: async () => {},
            saveConfidences: async () => {},
            signedInAs: async () => me,
            sendMessage: (message) => createMessage(door, message),
            saveDraft: (draft) => saveMessageDraft(door, draft),
          },
          browser.openTab(),
          undefined,
          sent,
        ),
      holdFront: () => () => {},
    },
    server.viewFor(me),
  );
  const stop = store.$messages.listen(() => {});
  const close = store.open();
  return {
    ...{ store, live, failed, unread, signedOut },
    say(text: string) {
      store.write(text);
      store.send();
    },
    shown: () =>
      store.$messages.get().map(({ body, delivery }) => `${body ?? '(removed)'}: ${delivery.name}`),
    close() {
      stop();
      close();
    },
  };
}

describe('Somebody who writes', () => {
  test('Sees it at once, then that it is sent, then that it is read', async () => {
    const server = conversationServer(['maria', 'tom']);
    const maria = openTab(server, 'maria');
    const tom = openTab(server, 'tom');
    await pass();
    maria.say('  Good morning ');
    expect(maria.shown()).toEqual(['Good morning: sending']);
    expect(maria.store.$draft.get().text).toBe('');
    await pass();
    expect(maria.shown()).toEqual(['Good morning: sent']);
    expect(tom.shown()).toEqual(['Good morning: received']);
    tom.store.readUpTo(1);
    await pass();
    expect(maria.store.$messages.get()[0]?.delivery).toEqual({ name: 'read', by: 1 });
  });

  test('Offline it waits, over a closed tab too, and goes out in order when the connection is back', async () => {
    const server = conversationServer(['maria', 'tom']);
    const browser = memoryBrowser();
    const before = openTab(server, 'maria', browser);
    await pass();
    server.refuseWith((name) => (name === 'send_message' ? 'network' : null));
    before.live.cut();
    for (const words of ['one', 'two', 'three']) before.say(words);
    await pass(500);
    expect(before.shown()).toEqual(['one: queued', 'two: queued', 'three: queued']);
    before.close();
    const after = openTab(server, 'maria', browser);
    expect(after.store.$messages.get().map(({ body }) => body)).toEqual(['one', 'two', 'three']);
    server.refuseWith(() => null);
    browser.wake('connection');
    await pass(1_000);
    expect(server.messages.map(({ body }) => body)).toEqual(['one', 'two', 'three']);
    expect(after.shown()).toEqual(['one: sent', 'two: sent', 'three: sent']);
    after.close();
  });

  test('An ended session loses nothing: it goes out when the person has signed in again', async () => {
    const server = conversationServer(['maria', 'tom']);
    const maria = openTab(server, 'maria');
    await pass();
    server.refuseWith(() => 'signedOut');
    maria.live.cut();
    maria.say('still here');
    await pass(120_000);
    expect(maria.signedOut).toHaveBeenCalled();
    expect(maria.shown()).toEqual(['still here: queued']);
    server.refuseWith(() => null);
    maria.live.mend();
    await pass();
    expect(maria.shown()).toEqual(['still here: sent']);
    maria.close();
  });

  test('An answer that is lost makes no second message', async () => {
    const server = conversationServer(['maria', 'tom']);
    const maria = openTab(server, 'maria');
    await pass();
    let lost = 3;
    server.refuseWith((name) => (name === 'send_message, answer' && lost-- > 0 ? 'network' : null));
    maria.say('once');
    await pass(20_000);
    expect(server.callsOf('send_message')).toHaveLength(4);
    expect(maria.shown()).toEqual(['once: sent']);
  });

  test('Too many at once go out later; what else waits does not wait for them', async () => {
    const server = conversationServer(['maria', 'tom']);
    const maria = openTab(server, 'maria');
    await pass();
    server.refuseWith((name) => (name === 'send_message' ? 'tooMany' : null));
    maria.say('fast');
    maria.store.write('and what I write next');
    await pass(2_000);
    expect(maria.shown()).toEqual(['fast: queued']);
    expect(server.drafts.get('maria')?.body).toBe('and what I write next');
    server.refuseWith(() => null);
    await pass(60_000);
    expect(maria.shown()).toEqual(['fast: sent']);
  });

  test('What is refused says why and stays; it is sent again, or its words go back to the draft', async () => {
    const server = conversationServer(['maria', 'tom']);
    const maria = openTab(server, 'maria');
    await pass();
    server.refuseWith((name) => (name === 'send_message' ? 'closed' : null));
    maria.say('first');
    maria.say('second');
    await pass();
    const [first, second] = maria.store.$messages.get();
    expect(first?.delivery).toEqual({ name: 'failed', why: 'You no longer work together.' });
    server.refuseWith(() => null);
    maria.store.discard(first?.id ?? '');
    expect(maria.store.$draft.get().text).toBe('first');
    maria.store.retry(second?.id ?? '');
    await pass();
    expect(maria.shown()).toEqual(['second: sent']);
  });

  test('A message sent from one tab shows once in the other, and never goes away meanwhile', async () => {
    const server = conversationServer(['maria', 'tom']);
    const browser = memoryBrowser();
    const [one, two] = [openTab(server, 'maria', browser), openTab(server, 'maria', browser)];
    await pass();
    two.live.cut();
    const seen = new Set<number>();
    two.store.$messages.listen((messages) => seen.add(messages.length));
    one.say('hello');
    expect(two.shown()).toEqual(['hello: sending']);
    await pass(1_000);
    expect(two.shown()).toEqual(['hello: sent']);
    expect([...seen]).toEqual([1]);
  });
});

describe('A draft', () => {
  test('Is kept while one types, told to other devices in a pause, and gone once it is sent', async () => {
    const server = conversationServer(['maria', 'tom']);
    const browser = memoryBrowser();
    const maria = openTab(server, 'maria', browser);
    await pass();
    for (const text of ['D', 'De', 'Dear']) {
      maria.store.write(text);
      await pass(100);
    }
    expect(server.callsOf('save_message_draft')).toHaveLength(0);
    const other = openTab(server, 'maria', browser);
    expect(other.store.$draft.get().text).toBe('Dear');
    await pass(2_000);
    expect(server.callsOf('save_message_draft')).toHaveLength(1);
    expect(openTab(server, 'maria').store.$draft.get().text).toBe('Dear');
    maria.store.send();
    await pass(5_000);
    expect(server.drafts.size).toBe(0);
    expect(other.store.$draft.get().text).toBe('');
    expect(other.shown()).toEqual(['Dear: sent']);
  });

  test('What waits to be sent does not stand in the draft as well after a reload', async () => {
    const server = conversationServer(['maria', 'tom']);
    const browser = memoryBrowser();
    const maria = openTab(server, 'maria', browser);
    await pass();
    maria.store.write('Hello');
    await pass(3_000);
    expect(server.drafts.get('maria')?.body).toBe('Hello');
    server.refuseWith(() => 'network');
    maria.store.send();
    await pass(100);
    maria.close();
    const again = openTab(server, 'maria', browser);
    expect(again.store.$draft.get().text).toBe('');
    expect(again.shown()).toHaveLength(1);
  });

  test('Words in this tab are not taken away by the same words sent elsewhere', async () => {
    const server = conversationServer(['maria', 'tom']);
    const maria = openTab(server, 'maria');
    await pass();
    maria.store.write('ok');
    server.say('maria', 'elsewhere', 'ok');
    await pass();
    expect(maria.store.$draft.get().text).toBe('ok');
  });
});

describe('A change', () => {
  test('Shows at once, and is put back where it is refused', async () => {
    const server = conversationServer(['maria', 'tom']);
    const said = server.say('maria', 'one', 'Good mornign');
    const maria = openTab(server, 'maria');
    await pass();
    server.refuseWith((name) => (name === 'edit_message' ? 'network' : null));
    const edited = maria.store.edit(said.id, 'Good morning');
    expect(maria.store.$messages.get()[0]).toMatchObject({
      body: 'Good morning',
      changing: 'edit',
    });
    await pass();
    expect(await edited).toBe(false);
    expect(maria.store.$messages.get()[0]).toMatchObject({ body: 'Good mornign', changing: null });
    const [what, , again] = maria.failed.mock.calls[0] ?? [];
    expect(what).toBe('Your change was not saved');
    server.refuseWith(() => null);
    again?.();
    await pass();
    expect(server.messages[0]?.body).toBe('Good morning');
    expect(maria.store.$messages.get()[0]).toMatchObject({ body: 'Good morning', changing: null });
  });

  test('A message that is taken away leaves its mark at every reader', async () => {
    const server = conversationServer(['maria', 'tom']);
    server.say('maria', 'one', 'Wrong window');
    const [maria, tom] = [openTab(server, 'maria'), openTab(server, 'tom')];
    await pass();
    const removed = maria.store.remove('one');
    expect(maria.shown()).toEqual(['(removed): sent']);
    await pass();
    expect(await removed).toBe(true);
    expect(tom.shown()).toEqual(['(removed): received']);
  });
});

describe('Somebody who reads', () => {
  test('What was missed while the connection was away is asked for when it is back, once', async () => {
    const server = conversationServer(['maria', 'tom']);
    const maria = openTab(server, 'maria');
    await pass();
    maria.live.cut();
    server.say('tom', 'one', 'Are you there?');
    server.say('tom', 'two', 'Hello?');
    server.change('one', 'Are you here?');
    await pass(10_000);
    expect(maria.shown()).toEqual([]);
    const asked = server.calls.length;
    maria.live.mend();
    await pass(1_000);
    expect(maria.shown()).toEqual(['Are you here?: received', 'Hello?: received']);
    expect(server.calls.length).toBe(asked + 1);
  });

  test('Where no live connection can be made it is asked for, three times a minute', async () => {
    const server = conversationServer(['maria', 'tom']);
    const maria = openTab(server, 'maria');
    await pass();
    maria.live.cut();
    server.say('tom', 'one', 'one');
    const asked = server.calls.length;
    await pass(60_000);
    expect(maria.shown()).toEqual(['one: received']);
    expect(server.calls.length).toBe(asked + 3);
    maria.close();
  });

  test('A broadcast that got lost is noticed by the next one, and by the list of conversations', async () => {
    const server = conversationServer(['maria', 'tom']);
    const maria = openTab(server, 'maria');
    await pass();
    server.carryBy(() => {});
    server.say('tom', 'one', 'one');
    server.carryBy((deliver) => deliver());
    server.say('tom', 'two', 'two');
    expect(maria.shown()).toEqual([]);
    await pass(300);
    expect(maria.shown()).toEqual(['one: received', 'two: received']);
    server.carryBy(() => {});
    server.say('tom', 'three', 'three');
    server.carryBy((deliver) => deliver());
    const { conversation } = server.viewFor('maria');
    server.tell('person:maria', 'conversation', {
      ...conversation,
      unread_total: 3,
      author_name: 'Tom',
    });
    await pass(300);
    expect(maria.shown()).toHaveLength(3);
  });

  test('A question that fails is asked again until it is answered', async () => {
    const server = conversationServer(['maria', 'tom']);
    const maria = openTab(server, 'maria');
    await pass();
    maria.live.cut();
    server.say('tom', 'one', 'one');
    let fails = 3;
    server.refuseWith((name) =>
      name === 'list_message_changes' && fails-- > 0 ? 'network' : null,
    );
    maria.live.mend();
    await pass(7_000);
    expect(maria.shown()).toEqual([]);
    await pass(2_000);
    expect(maria.shown()).toEqual(['one: received']);
  });

  test('What was read is told at once, then at most twice a second, and never backwards', async () => {
    const server = conversationServer(['maria', 'tom']);
    for (let n = 1; n <= 20; n += 1) server.say('tom', `m${n}`, `${n}`);
    const maria = openTab(server, 'maria');
    await pass();
    for (let seq = 1; seq <= 20; seq += 1) {
      maria.store.readUpTo(seq);
      await pass(50);
    }
    maria.store.readUpTo(3);
    await pass(2_000);
    const told = server.callsOf('read_messages').map(({ args }) => args.p_seq);
    expect(told.length).toBeLessThanOrEqual(4);
    expect(told.at(0)).toBe(1);
    expect(told.at(-1)).toBe(20);
    expect(maria.unread).toHaveBeenLastCalledWith(0);
    expect(maria.store.$conversation.get()).toMatchObject({ unread: 0, read_seq: 20 });
  });

  test('A mark that could not be told goes when the connection is back', async () => {
    const server = conversationServer(['maria', 'tom']);
    server.say('tom', 'one', 'one');
    const maria = openTab(server, 'maria');
    await pass();
    server.refuseWith((name) => (name === 'read_messages' ? 'network' : null));
    maria.store.readUpTo(1);
    await pass(5_000);
    server.refuseWith(() => null);
    maria.live.cut();
    maria.live.mend();
    await pass();
    expect(server.people[0]?.read_seq).toBe(1);
  });

  test('Reads further back page by page, jumps to a place and back to the end', async () => {
    const server = conversationServer(['maria', 'tom']);
    for (let n = 1; n <= 300; n += 1) server.say('tom', `m${n}`, `${n}`);
    const { store } = openTab(server, 'maria');
    await pass();
    const span = () => {
      const messages = store.$messages.get();
      return [messages[0]?.seq, messages.at(-1)?.seq];
    };
    expect([span(), store.$older.get().name, store.$newer.get().name]).toEqual([
      [251, 300],
      'more',
      'end',
    ]);
    const loading = store.loadOlder();
    expect(store.$older.get().name).toBe('loading');
    await loading;
    expect(span()).toEqual([201, 300]);
    expect(await store.jumpTo(40)).toBe(true);
    expect([span(), store.$newer.get().name]).toEqual([[1, 50], 'more']);
    server.say('tom', 'm301', '301');
    expect(span()).toEqual([1, 50]);
    await store.loadNewer();
    expect(span()).toEqual([1, 100]);
    expect(await store.jumpToEnd()).toBe(true);
    expect(span()).toEqual([201, 301]);
    expect(store.$newer.get().name).toBe('end');
    server.refuseWith(() => 'network');
    await store.loadOlder();
    expect(store.$older.get()).toMatchObject({ name: 'failed', error: { kind: 'network' } });
  });
});

describe('Who types', () => {
  test('Is told at most every three seconds, and shown for five', async () => {
    const server = conversationServer(['maria', 'tom']);
    const [maria, tom] = [openTab(server, 'maria'), openTab(server, 'tom')];
    await pass();
    for (let n = 1; n <= 40; n += 1) {
      maria.store.write('x'.repeat(n));
      await pass(100);
    }
    expect(maria.live.sent).toHaveLength(2);
    expect(tom.store.$typing.get().map(({ name }) => name)).toEqual(['maria']);
    expect(maria.store.$typing.get()).toEqual([]);
    await pass(5_000);
    expect(tom.store.$typing.get()).toEqual([]);
    maria.store.write('again');
    expect(tom.store.$typing.get()).toHaveLength(1);
    maria.store.send();
    await pass();
    expect(tom.store.$typing.get()).toEqual([]);
  });
});

describe('A conversation that ends', () => {
  test('Says why one cannot write any more; what was typed stays', async () => {
    const server = conversationServer(['maria', 'tom']);
    const maria = openTab(server, 'maria');
    await pass();
    maria.store.write('One more thing');
    server.shut();
    server.move();
    await pass();
    expect(maria.store.$state.get()).toEqual({
      ...{ name: 'closed', why: 'You no longer work together.' },
    });
    expect(maria.store.$draft.get().text).toBe('One more thing');
  });

  test('Is gone for somebody who takes part no more, on every way in which that is heard', async () => {
    for (const end of ['moved', 'news', 'asked'] as const) {
      const server = conversationServer(['maria', 'tom']);
      const maria = openTab(server, 'maria');
      await pass();
      maria.store.write('One more thing');
      server.people.shift();
      server.refuseWith((name) => (name === 'list_message_changes' ? 'gone' : null));
      if (end === 'moved') server.move();
      if (end === 'news') {
        server.tell('person:maria', 'conversation', { id: CONVERSATION_ID, gone: true });
      }
      if (end === 'asked') {
        maria.live.cut();
        maria.live.mend();
      }
      await pass();
      expect(maria.store.$state.get().name, end).toBe('gone');
      expect(maria.store.$draft.get().text).toBe('One more thing');
      maria.close();
    }
  });

  test('After somebody joins, the new channel is heard and the old one is not', async () => {
    const server = conversationServer(['maria', 'tom']);
    const maria = openTab(server, 'maria');
    await pass();
    server.people.push({ ...(server.people[1] ?? ({} as never)), id: 'ana', name: 'ana' });
    server.move();
    await pass();
    server.say('ana', 'one', 'Hello everybody');
    expect(maria.shown()).toEqual(['Hello everybody: received']);
    expect(maria.store.$people.get()).toHaveLength(3);
  });
});

describe('Whatever happens on the way', () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('say' as const), who: fc.nat(1) }),
    fc.record({ do: fc.constant('edit' as const), who: fc.nat(1), which: fc.nat() }),
    fc.record({ do: fc.constant('remove' as const), who: fc.nat(1), which: fc.nat() }),
    fc.record({ do: fc.constant('cut' as const), who: fc.nat(1) }),
    fc.record({ do: fc.constant('mend' as const), who: fc.nat(1) }),
    fc.record({ do: fc.constant('pass' as const), ms: fc.nat(3_000) }),
    fc.record({ do: fc.constant('reload' as const), who: fc.nat(1) }),
    fc.record({
      do: fc.constant('broadcasts' as const),
      fate: fc.constantFrom('lost', 'twice', 'late', 'fine'),
    }),
    fc.record({
      do: fc.constant('requests' as const),
      fate: fc.constantFrom('lost', 'unanswered', 'fine'),
    }),
  );

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
          const tab = 'who' in each ? tabs[each.who] : undefined;
          const name = 'who' in each ? (names[each.who] ?? 'maria') : 'maria';
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
              if (one && each.do === 'edit') void tab?.store.edit(one.id, `${one.body}`);
              if (one && each.do === 'remove') void tab?.store.remove(one.id);
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
            case 'broadcasts':
              server.carryBy((deliver) => {
                if (each.fate === 'late') held.push(deliver);
                else if (each.fate !== 'lost') deliver();
                if (each.fate === 'twice') deliver();
              });
              break;
            case 'requests':
              server.refuseWith((call) => {
                if (each.fate === 'fine') return null;
                return call.endsWith(', answer') === (each.fate === 'unanswered')
                  ? 'network'
                  : null;
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
        // Stores let go of what they are made of one after the other, a second after the last look.
        await pass(5_000);
        expect(vi.getTimerCount()).toBe(0);
      }),
      { numRuns: 150 },
    );
  }, 60_000);
});
