import { describe, expect, test } from 'vitest';
import { CONVERSATION_ID, conversationServer } from '../../fixtures/conversation-server.ts';
import {
  openConversation,
  openForBoth,
  openTab,
  pass,
  stopTime,
} from '../../fixtures/conversation-tab.ts';

stopTime();

describe('A change', () => {
  test('Shows at once, and is put back where it is refused', async () => {
    const server = conversationServer(['maria', 'tom']);
    const said = server.say('maria', 'one', 'Good mornign');
    const maria = openTab(server, 'maria');
    await pass();
    server.refuseWith((name) => (name === 'edit_message' ? 'network' : null));
    const edited = maria.store.editing.edit(said.id, 'Good morning');
    expect(maria.store.$messages.get()[0]).toMatchObject({
      body: 'Good morning',
      changing: 'edit',
    });
    await pass();
    expect(await edited).toBe(false);
    expect(maria.store.$messages.get()[0]).toMatchObject({ body: 'Good mornign', changing: null });
    const [what, , again] = maria.failed.mock.calls[0] ?? [];
    expect(what).toBe('Your edit wasn’t saved');
    server.refuseWith(() => null);
    again?.();
    await pass();
    expect(server.messages[0]?.body).toBe('Good morning');
    expect(maria.store.$messages.get()[0]).toMatchObject({ body: 'Good morning', changing: null });
  });

  test('Trying a change again that failed does not bring back words that were changed since', async () => {
    const { server, maria } = await openConversation((made) => made.say('maria', 'one', 'At nine'));
    server.refuseWith((name) => (name === 'edit_message' ? 'network' : null));
    void maria.store.editing.edit('one', 'At ten');
    await pass();
    const again = maria.failed.mock.calls[0]?.[2];
    server.refuseWith(() => null);
    void maria.store.editing.edit('one', 'At eleven');
    await pass();
    again?.();
    await pass();
    expect(server.messages[0]?.body).toBe('At eleven');
  });

  test('Whether a conversation is muted is shown as it is stored, though the answer was lost', async () => {
    const { server, maria } = await openConversation();
    server.refuseWith((name) => (name === 'set_conversation_muted, answer' ? 'network' : null));
    void maria.store.mute(true);
    await pass();
    expect(maria.failed).toHaveBeenCalledOnce();
    expect(server.viewFor('maria').conversation.muted).toBe(true);
    expect(maria.store.data.$conversation.get().muted).toBe(true);
  });

  test('A message that is taken away leaves its mark at every reader', async () => {
    const { maria, tom } = await openForBoth((made) => made.say('maria', 'one', 'Wrong window'));
    const removed = maria.store.editing.remove('one');
    expect(maria.shown()).toEqual(['(removed): sent']);
    await pass();
    expect(await removed).toBe(true);
    expect(tom.shown()).toEqual(['(removed): received']);
  });
});

describe('Who types', () => {
  test('Is told at most every three seconds, and shown for five', async () => {
    const { maria, tom } = await openForBoth();
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
    maria.store.writing.send();
    await pass();
    expect(tom.store.$typing.get()).toEqual([]);
  });
});

describe('What others say on the channel of who types', () => {
  test.each([null, 'maria', { person_id: 7 }, { person_id: 'nobody' }])(
    '%j is nobody who types, and breaks nothing',
    async (payload) => {
      const { server, maria, tom } = await openForBoth();
      maria.store.write('x');
      const topic = maria.live.sent[0]?.topic ?? '';
      await pass(6_000);
      server
        .live()
        .join(topic, {})
        .send('typing', payload as object);
      expect(tom.store.$typing.get()).toEqual([]);
      expect(maria.store.$typing.get()).toEqual([]);
    },
  );
});

describe('A conversation that ends', () => {
  test('Says why one cannot write any more; what was typed stays', async () => {
    const { server, maria } = await openConversation();
    maria.store.write('One more thing');
    server.shut();
    server.move();
    await pass();
    expect(maria.store.$state.get()).toEqual({
      name: 'closed',
      why: 'You no longer work together.',
    });
    expect(maria.store.writing.$draft.get().text).toBe('One more thing');
  });

  test('Is gone for somebody who takes part no more, on every way in which that is heard', async () => {
    for (const end of ['moved', 'news', 'asked'] as const) {
      const { server, maria } = await openConversation();
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
      expect(maria.store.writing.$draft.get().text).toBe('One more thing');
      maria.close();
    }
  });

  test('After somebody joins, the new channel is heard and the old one is not', async () => {
    const { server, maria } = await openConversation();
    server.people.push({ ...(server.people[1] ?? ({} as never)), id: 'ana', name: 'ana' });
    server.move();
    await pass();
    server.say('ana', 'one', 'Hello everybody');
    expect(maria.shown()).toEqual(['Hello everybody: received']);
    expect(maria.store.data.$people.get()).toHaveLength(3);
  });
});
