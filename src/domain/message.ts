/** Conversations and messages: kinds, and how names and last messages are displayed. */

export const CONVERSATION_KINDS = ['direct', 'engagement', 'project', 'support'] as const;
export type ConversationKind = (typeof CONVERSATION_KINDS)[number];

/** Each kind in words. */
export const KIND_LABELS: Record<ConversationKind, string> = {
  direct: 'between two people',
  engagement: 'about coaching',
  project: 'about a project',
  support: 'with support',
};

/** Shown in place of the name of a deleted account. */
export const FORMER_ACCOUNT = 'Deleted account';

export const displayName = (name: string | null | undefined) => name || 'Unnamed';

interface Titled {
  title: string;
  subject: { kind: string; name: string } | null;
  people: readonly { role: string }[];
}

/** The title of a conversation as its reader tells it from others: a coach by the business. */
export function titleOf({ title, subject, people }: Titled): string {
  const isWithOwner = subject?.kind === 'engagement' && people.some(({ role }) => role === 'owner');
  return isWithOwner ? subject.name : title;
}

/** An author's display name; a null id means the account was deleted. */
export const authorName = (id: string | null, people: ReadonlyMap<string, { name: string }>) =>
  id === null ? FORMER_ACCOUNT : displayName(people.get(id)?.name);

interface Quoted {
  author_id: string | null;
  excerpt: string | null;
  removed: boolean;
}

/**
 * The name and the text that a quoted message shows. The database withholds both from readers who
 * joined later, and from broadcasts that reach one of them: then there's no text.
 */
export function quoteWords(
  { author_id, excerpt, removed }: Quoted,
  people: ReadonlyMap<string, { name: string }>,
): { name: string; text: string | null } {
  if (author_id === null && !excerpt && !removed) return { name: 'An earlier message', text: null };
  const author = author_id === null ? undefined : people.get(author_id);
  return {
    name: author ? displayName(author.name) : FORMER_ACCOUNT,
    text: removed ? 'This message was deleted.' : excerpt || 'A file',
  };
}

/** A short name, for one-line texts. */
export const firstName = (name: string) => name.split(/\s+/)[0] || 'Someone';

const filesText = (count: number) => (count === 1 ? 'A file' : `${count} files`);

interface LastSaid {
  kind: ConversationKind;
  people: readonly { id: string; name: string }[];
  last_message: {
    author_id: string | null;
    excerpt: string;
    removed: boolean;
    files: number;
  } | null;
}

/** The preview of a conversation's last message, with its author unless that's obvious. */
export function lastMessageText(
  { last_message: last, kind, people }: LastSaid,
  me: string,
): string {
  if (!last) return 'No messages yet';
  const text = last.removed
    ? 'Deleted a message'
    : last.excerpt || filesText(Math.max(last.files, 1));
  if (last.author_id === me) return `You: ${text}`;
  if (kind === 'direct') return text;
  const author = people.find(({ id }) => id === last.author_id);
  return author ? `${firstName(author.name)}: ${text}` : text;
}

/** "Maria is typing…", "Maria and Ada are typing…", "3 people are typing…". */
export function typingText(names: readonly string[]): string {
  const [one, two] = names.map(firstName);
  if (!one) return '';
  if (names.length === 1) return `${one} is typing…`;
  return names.length === 2
    ? `${one} and ${two} are typing…`
    : `${names.length} people are typing…`;
}

/** "Maria Ortega", "Maria Ortega and Ada Min", "Maria, Ada and 3 others". */
export function namesText(names: readonly string[]): string {
  const [one = '', two = ''] = names;
  if (names.length <= 1) return one;
  if (names.length === 2) return `${one} and ${two}`;
  const others = names.length - 2;
  return `${firstName(one)}, ${firstName(two)} and ${others} ${others === 1 ? 'other' : 'others'}`;
}
