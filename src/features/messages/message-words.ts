/** How conversations and the states of messages are worded. */
import type { Conversation } from '#data/conversations.ts';
import { dayOf, daysBetween, recentDayText, shortDayText, timeText } from '#lib/dates.ts';

const filesWords = (count: number) => (count === 1 ? 'A file' : `${count} files`);

/** When something was last said, as short as it can be: "3:04 PM", "Yesterday", "Nov 12, 2026". */
export function whenText(iso: string, timeZone: string, today: string): string {
  const days = daysBetween(dayOf(iso, timeZone), today);
  if (days <= 0) return timeText(iso, timeZone);
  return days < 7 ? recentDayText(iso, timeZone, today) : shortDayText(iso, timeZone);
}

/** The last words of a conversation, with who said them where that is not clear. */
export function lastWords({ last_message: last, kind, people }: Conversation, me: string): string {
  if (!last) return 'Nothing written yet';
  const words = last.removed
    ? 'Deleted a message'
    : last.excerpt || filesWords(Math.max(last.files, 1));
  if (last.author_id === me) return `You: ${words}`;
  if (kind === 'direct') return words;
  const author = people.find(({ id }) => id === last.author_id);
  return author ? `${firstName(author.name)}: ${words}` : words;
}

/** What a person is called in a short line. */
const firstName = (name: string) => name.split(/\s+/)[0] || 'Somebody';

/** Somebody whose account is gone. */
export const GONE = 'Former account';

export const nameOf = (name: string | null | undefined) => name || 'Without a name';

/** "Maria is writing …", "Maria and Ada are writing …", "3 people are writing …". */
export function typingWords(names: readonly string[]): string {
  const [one, two] = names.map(firstName);
  if (!one) return '';
  if (names.length === 1) return `${one} is writing …`;
  return names.length === 2
    ? `${one} and ${two} are writing …`
    : `${names.length} people are writing …`;
}

/** "Maria Ortega", "Maria Ortega and Ada Min", "Maria, Ada and 3 others". */
export function namesText(names: readonly string[]): string {
  const [one = '', two = ''] = names;
  if (names.length <= 1) return one;
  if (names.length === 2) return `${one} and ${two}`;
  const others = names.length - 2;
  return `${firstName(one)}, ${firstName(two)} and ${others} ${others === 1 ? 'other' : 'others'}`;
}
