import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Message, MessageChanges, MessagePage } from '#data/messages.ts';
import {
  hasGap,
  hasNewer,
  hasOlder,
  movedTo,
  shownOf,
  type Thread,
  threadOf,
  withChanges,
  withMessages,
} from '#features/messages/conversation/thread.ts';
import { type ConversationServer, conversationServer } from '../../fixtures/conversation-server.ts';

/**
 * Weights of random events between the database and a page. `hear` delivers a message for the first
 * time or again. A response that doesn't arrive may do so in a later `late` event.
 */
const WEIGHTS = { say: 6, change: 3, hear: 8, ask: 2, page: 4, jump: 1, late: 3 };
const happening = fc.record({
  kind: fc.constantFrom(
    ...Object.entries(WEIGHTS).flatMap(([kind, weight]) =>
      Array.from({ length: weight }, () => kind),
    ),
  ),
  which: fc.nat(),
  gone: fc.boolean(),
  older: fc.boolean(),
  arrives: fc.boolean(),
});

async function ask<T>(server: ConversationServer, name: string, args: object): Promise<T> {
  const { data } = await server.db('maria').rpc(name as never, args as never);
  return data as T;
}

async function pageBeside(server: ConversationServer, { from, to }: Thread, older: boolean) {
  const place = older ? { p_before: from } : { p_after: to };
  const page = await ask<MessagePage>(server, 'list_messages', { ...place, p_limit: 3 });
  return page.messages;
}

/** Whether the page shows consecutive messages, each once. */
function inOrder(thread: Thread): boolean {
  const shown = shownOf(thread);
  return (
    shown.length === Math.max(0, thread.to - thread.from + 1) &&
    shown.every(({ seq }, place) => seq === thread.from + place)
  );
}

describe('However messages arrive', () => {
  test('The page shows a run without a gap, and in the end what the database has', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(8),
        fc.integer({ min: 1, max: 4 }),
        fc.array(happening, { maxLength: 60 }),
        async (before, changesPage, steps) => {
          const server = conversationServer(['maria', 'tom']);
          server.changesPage = changesPage;
          const broadcasts: Message[] = [];
          for (let n = 0; n < before; n += 1) server.say('tom', `before-${n}`, 'hello');
          let thread = threadOf(server.viewFor('maria', undefined, 3));
          /** Responses that arrive after later events. */
          const late: ((now: Thread) => Thread)[] = [];
          const arrive = (now: boolean, apply: (now: Thread) => Thread) => {
            if (now) thread = apply(thread);
            else late.push(apply);
          };
          let said = 0;

          for (const step of steps) {
            if (step.kind === 'say') {
              said += 1;
              broadcasts.push({ ...server.say('tom', `said-${said}`, `number ${said}`) });
            } else if (step.kind === 'change') {
              const message = server.messages[step.which % Math.max(1, server.messages.length)];
              if (!message) continue;
              broadcasts.push({
                ...server.change(message.id, step.gone ? null : `again ${step.which}`),
              });
            } else if (step.kind === 'hear') {
              const heard = broadcasts[step.which % Math.max(1, broadcasts.length)];
              if (heard) thread = withMessages(thread, [heard]);
            } else if (step.kind === 'ask') {
              const answer = await ask<MessageChanges>(server, 'list_message_changes', {
                p_after_revision: thread.known,
              });
              arrive(step.arrives, (now) => withChanges(now, answer));
            } else if (step.kind === 'late') {
              const apply = late.splice(step.which % Math.max(1, late.length), 1)[0];
              if (apply) thread = apply(thread);
            } else if (step.kind === 'page' && (step.older ? hasOlder : hasNewer)(thread)) {
              const page = await pageBeside(server, thread, step.older);
              arrive(step.arrives, (now) => withMessages(now, page));
            } else if (step.kind === 'jump' && server.messages.length > 0) {
              const seq = (step.which % server.messages.length) + 1;
              const { messages } = server.viewFor('maria', seq, 3);
              arrive(step.arrives, (now) => movedTo(now, messages));
            }
            expect(inOrder(thread)).toBe(true);
          }

          // After a reconnect, fetch the missed changes, then the remaining messages page by page.
          for (let more = true; more; ) {
            const answer = await ask<MessageChanges>(server, 'list_message_changes', {
              p_after_revision: thread.known,
            });
            thread = withChanges(thread, answer);
            more = answer.more;
          }
          expect(hasGap(thread)).toBe(false);
          while (hasOlder(thread)) {
            thread = withMessages(thread, await pageBeside(server, thread, true));
          }
          while (hasNewer(thread)) {
            thread = withMessages(thread, await pageBeside(server, thread, false));
          }
          for (const apply of late) expect(inOrder(apply(thread))).toBe(true);
          expect(shownOf(thread)).toEqual(server.messages);
        },
      ),
      { numRuns: 400 },
    );
  });
});

test('Words from before a person took part are not shown, though their edit is told to all', () => {
  const server = conversationServer(['maria', 'tom']);
  server.say('tom', 'one', 'before');
  server.say('tom', 'two', 'after');
  const view = server.viewFor('maria');
  view.conversation.from_seq = 2;
  view.messages = view.messages.slice(1);
  const thread = withMessages(threadOf(view), [server.change('one', 'before, again')]);
  expect(shownOf(thread).map(({ id }) => id)).toEqual(['two']);
  expect([hasOlder(thread), hasGap(thread)]).toEqual([false, false]);
});
