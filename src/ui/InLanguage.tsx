import { createContext, type ReactNode, use, useMemo } from 'react';
import { inEnglish, type Say, sayer, type Texts } from '#domain/language.ts';

const Said = createContext<Say>(inEnglish);

interface InLanguageProps {
  /** The texts of the screen; without them, it's in English. */
  words: Texts | undefined;
  children: ReactNode;
}

/** Says what's inside in another language. */
export function InLanguage({ words, children }: InLanguageProps) {
  const say = useMemo(() => sayer(words), [words]);
  return <Said value={say}>{children}</Said>;
}

/** Says texts in the language of the screen. */
export const useSay = (): Say => use(Said);
