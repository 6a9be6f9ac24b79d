import { createContext, type ReactNode, use, useMemo } from 'react';
import {
  DEFAULT_LANGUAGE,
  inEnglish,
  type Language,
  type Say,
  sayer,
  type Texts,
} from '#domain/language.ts';

interface Said {
  language: Language;
  say: Say;
}

const Said = createContext<Said>({ language: DEFAULT_LANGUAGE, say: inEnglish });

interface InLanguageProps {
  /** The texts of the screen; without them, it's in English. */
  words: Texts | undefined;
  children: ReactNode;
}

/** Says what's inside in another language. */
export function InLanguage({ words, children }: InLanguageProps) {
  const said = useMemo(
    () => ({ language: words?.language ?? DEFAULT_LANGUAGE, say: sayer(words) }),
    [words],
  );
  return <Said value={said}>{children}</Said>;
}

/** Says texts in the language of the screen. */
export const useSay = (): Say => use(Said).say;

/** The language of the screen. */
export const useLanguage = (): Language => use(Said).language;
