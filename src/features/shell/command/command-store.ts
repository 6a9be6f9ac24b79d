/** The command menu's search: one question to the database after a pause in typing. */
import { atom } from 'nanostores';
import { type Found, searchEverything } from '#data/search.ts';
import { LONGEST_SEARCH, SHORTEST_SEARCH } from '#domain/search.ts';
import { type AnswerDeps, createLatestAnswer } from '#lib/latest-answer.ts';

/** The pause in typing before a search, in milliseconds. */
const PAUSE = 200;

/** Creates the store of a menu that was just opened. */
export function createCommandStore(deps: AnswerDeps) {
  const $typed = atom('');
  /** What the latest search found; an earlier one's until a new one is answered. */
  const $found = atom<readonly Found[]>([]);
  const answer = createLatestAnswer(deps);
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Searches for what's been typed once the person pauses. */
  function type(typed: string): void {
    const before = $typed.get().trim();
    $typed.set(typed);
    const words = typed.trim().slice(0, LONGEST_SEARCH);
    if (words === before) return;
    clearTimeout(timer);
    if (words.length < SHORTEST_SEARCH) {
      $found.set([]);
      answer.drop('ready');
      return;
    }
    answer.drop('loading');
    timer = setTimeout(() => {
      void answer.ask(async (db) => {
        const found = await searchEverything(db, words);
        return () => $found.set(found);
      });
    }, PAUSE);
  }

  /** Forgets a search that's waiting, as the menu closes. */
  function close(): void {
    clearTimeout(timer);
    answer.drop('ready');
  }

  return { $typed, $found, $state: answer.$state, retry: answer.retry, type, close };
}
