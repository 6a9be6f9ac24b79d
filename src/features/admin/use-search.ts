import { useEffect, useState } from 'react';
import { reportError } from '#stores/session.ts';
import { useAnswer } from '#ui/use-answer.ts';

/** Milliseconds to wait after the last keystroke before searching. */
const QUIET = 300;

/**
 * Searches as an admin types, and keeps what's chosen among what's shown.
 * @param search resolves to the few rows that fit best; with no words, nothing is searched
 * @param first the words to begin with
 */
export function useSearch<Row extends { id: string }>(
  search: (words: string) => Promise<readonly Row[]>,
  first = '',
) {
  const [words, setWords] = useState(first);
  const [searched, setSearched] = useState(words);
  const [chosen, setChosen] = useState<Row | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setSearched(words.trim()), QUIET);
    return () => clearTimeout(timer);
  }, [words]);
  const found = useAnswer(searched === '' ? null : () => search(searched), reportError, [searched]);
  const rows = found.answer ?? [];
  const shown = chosen && !rows.some(({ id }) => id === chosen.id) ? [chosen, ...rows] : rows;
  const choose = (wanted: string) => setChosen(shown.find(({ id }) => id === wanted) ?? null);
  return { words, setWords, found, shown, chosen, choose };
}
