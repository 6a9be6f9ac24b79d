import { useStore } from '@nanostores/react';
import type { SessionFacts } from '#data/session.ts';
import { $newFacts } from '#stores/session.ts';

/** The facts about the signed-in person: those that the page was rendered with, until they change. */
export const useFacts = (initial: SessionFacts): SessionFacts =>
  useStore($newFacts, { ssr: () => null }) ?? initial;
