import { describe, expect, test } from 'vitest';
import type { ConversationServer } from '../../fixtures/conversation-server.ts';
import { openConversation, pass, stopTime } from '../../fixtures/conversation-tab.ts';

stopTime();

function sayNumbers(server: ConversationServer, count: number) {
  for (let n = 1; n <= count; n += 1) server.say('tom', `m${n}`, `${n}`);
}

describe('Somebody who reads', () => {
  test('What was missed while the connection was away is asked for when it is back, once', async () => {
    const { server, maria } = await openConversation();
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
    const { server, maria } = await openConversation();
    maria.live.cut();
    server.say('tom', 'one', 'one');
    const asked = server.calls.length;
    await pass(60_000);
    expect(maria.shown()).toEqual(['one: received']);
    expect(server.calls.length).toBe(asked + 3);
    maria.close();
  });

  test('A broadcast that got lost is noticed by the next one, and by the list of conversations', async () => {
    const { server, maria } = await openConversation();
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
    const { server, maria } = await openConversation();
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
    const { server, maria } = await openConversation((made) => sayNumbers(made, 20));
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
    expect(maria.store.data.$conversation.get()).toMatchObject({ unread: 0, read_seq: 20 });
  });

  test.each([
    ['when the connection is back', 5_000, 0],
    ['by itself after a while', 1_000, 20_000],
  ])('How far was read is saved %s if it failed before', async (_when, before, after) => {
    const { server, maria } = await openConversation((made) => made.say('tom', 'one', 'one'));
    server.refuseWith((name) => (name === 'read_messages' ? 'network' : null));
    maria.store.readUpTo(1);
    await pass(before);
    server.refuseWith(() => null);
    expect(server.people[0]?.read_seq).toBe(0);
    if (after === 0) maria.live.cut();
    if (after === 0) maria.live.mend();
    await pass(after);
    expect(server.people[0]?.read_seq).toBe(1);
    expect(maria.unread).toHaveBeenLastCalledWith(0);
  });

  test('Reads further back page by page, jumps to a place and back to the end', async () => {
    const { server, maria } = await openConversation((made) => sayNumbers(made, 300));
    const { store } = maria;
    const span = () => {
      const messages = store.$messages.get();
      return [messages[0]?.seq, messages.at(-1)?.seq];
    };
    expect([span(), store.paging.$older.get().name, store.paging.$newer.get().name]).toEqual([
      [251, 300],
      'more',
      'end',
    ]);
    const loading = store.paging.loadOlder();
    expect(store.paging.$older.get().name).toBe('loading');
    await loading;
    expect(span()).toEqual([201, 300]);
    expect(await store.paging.jumpTo(40)).toBe(true);
    expect([span(), store.paging.$newer.get().name]).toEqual([[1, 50], 'more']);
    server.say('tom', 'm301', '301');
    expect(span()).toEqual([1, 50]);
    await store.paging.loadNewer();
    expect(span()).toEqual([1, 100]);
    expect(await store.paging.jumpToEnd()).toBe(true);
    expect(span()).toEqual([201, 301]);
    expect(store.paging.$newer.get().name).toBe('end');
    server.refuseWith(() => 'network');
    await store.paging.loadOlder();
    expect(store.paging.$older.get()).toMatchObject({ name: 'failed', error: { kind: 'network' } });
  });
});
