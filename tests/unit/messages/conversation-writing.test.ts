import { describe, expect, test } from 'vitest';
import { conversationServer } from '../../fixtures/conversation-server.ts';
import {
  openConversation,
  openForBoth,
  openTab,
  pass,
  stopTime,
} from '../../fixtures/conversation-tab.ts';
import { memoryBrowser } from '../../fixtures/memory-browser.ts';

stopTime();

describe('Somebody who writes', () => {
  test('Sees it at once, then that it is sent, then that it is read', async () => {
    const { maria, tom } = await openForBoth();
    maria.say('  Good morning ');
    expect(maria.shown()).toEqual(['Good morning: sending']);
    expect(maria.store.writing.$draft.get().text).toBe('');
    await pass();
    expect(maria.shown()).toEqual(['Good morning: sent']);
    expect(tom.shown()).toEqual(['Good morning: received']);
    tom.store.readUpTo(1);
    await pass();
    expect(maria.store.$messages.get()[0]?.delivery).toEqual({ name: 'read', by: 1 });
  });

  test('An ended session loses nothing: it goes out when the person has signed in again', async () => {
    const { server, maria } = await openConversation();
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

  test('Too many at once go out later; what else waits does not wait for them', async () => {
    const { server, maria } = await openConversation();
    server.refuseWith((name) => (name === 'send_message' ? 'tooMany' : null));
    maria.say('fast');
    maria.store.write('and what I write next');
    await pass(2_000);
    expect(maria.shown()).toEqual(['fast: queued']);
    expect(server.drafts.get('maria')?.body).toBe('and what I write next');
    server.refuseWith(() => null);
    await pass(60_000);
    expect(maria.shown()).toEqual(['fast: sent']);
    // Storing a message deletes its draft, but this text is a new one.
    expect(server.drafts.get('maria')?.body).toBe('and what I write next');
  });

  test('What is refused says why and stays; it is sent again, or its words go back to the draft', async () => {
    const { server, maria } = await openConversation();
    server.refuseWith((name) => (name === 'send_message' ? 'closed' : null));
    maria.say('first');
    maria.say('second');
    await pass();
    const [first, second] = maria.store.$messages.get();
    expect(first?.delivery).toEqual({ name: 'failed', why: 'You no longer work together.' });
    server.refuseWith(() => null);
    maria.store.writing.discard(first?.id ?? '');
    expect(maria.store.writing.$draft.get().text).toBe('first');
    maria.store.writing.retry(second?.id ?? '');
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
    const { server, browser, maria } = await openConversation();
    for (const text of ['D', 'De', 'Dear']) {
      maria.store.write(text);
      await pass(100);
    }
    expect(server.callsOf('save_message_draft')).toHaveLength(0);
    const other = openTab(server, 'maria', browser);
    expect(other.store.writing.$draft.get().text).toBe('Dear');
    await pass(2_000);
    expect(server.callsOf('save_message_draft')).toHaveLength(1);
    expect(openTab(server, 'maria').store.writing.$draft.get().text).toBe('Dear');
    maria.store.writing.send();
    await pass(5_000);
    expect(server.drafts.size).toBe(0);
    expect(other.store.writing.$draft.get().text).toBe('');
    expect(other.shown()).toEqual(['Dear: sent']);
  });

  test('What waits to be sent does not stand in the draft as well after a reload', async () => {
    const { server, browser, maria } = await openConversation();
    maria.store.write('Hello');
    await pass(3_000);
    expect(server.drafts.get('maria')?.body).toBe('Hello');
    server.refuseWith(() => 'network');
    maria.store.writing.send();
    await pass(100);
    maria.close();
    const again = openTab(server, 'maria', browser);
    expect(again.store.writing.$draft.get().text).toBe('');
    expect(again.shown()).toHaveLength(1);
  });

  test('That waited over a reload goes with its message, even where that is refused', async () => {
    const { server, browser, maria } = await openConversation();
    server.refuseWith((name) => (name === 'save_message_draft' ? 'network' : null));
    maria.store.write('Hello');
    await pass(2_000);
    maria.close();
    const again = openTab(server, 'maria', browser);
    server.refuseWith((name) => (name === 'send_message' ? 'closed' : null));
    await pass(10_000);
    expect(server.drafts.get('maria')?.body).toBe('Hello');
    again.store.writing.send();
    await pass(5_000);
    expect(again.shown()).toEqual(['Hello: failed']);
    // Otherwise the next page would show it as a draft, too, and the user could send it twice.
    expect(server.drafts.size).toBe(0);
  });

  test('Words in this tab are not taken away by the same words sent elsewhere', async () => {
    const { server, maria } = await openConversation();
    maria.store.write('ok');
    server.say('maria', 'elsewhere', 'ok');
    await pass();
    expect(maria.store.writing.$draft.get().text).toBe('ok');
  });
});
