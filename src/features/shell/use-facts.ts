import { useStore } from '@nanostores/react';
import type { SessionFacts } from '#data/session.ts';
import { $newFacts } from '#stores/session.ts';

/**
 * Facts about the signed-in person: those that the page was rendered with, until they change.
 * @param initial only those that the island shows, because Astro writes them into the page for each island
 */
export const useFacts = <Name extends keyof SessionFacts>(
  initial: Pick<SessionFacts, Name>,
): Pick<SessionFacts, Name> => useStore($newFacts, { ssr: () => null }) ?? initial;
