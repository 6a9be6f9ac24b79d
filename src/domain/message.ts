/** Conversations and messages: their kinds, how names and last messages read, and reports. */

export const CONVERSATION_KINDS = ['direct', 'engagement', 'project', 'support'] as const;
export type ConversationKind = (typeof CONVERSATION_KINDS)[number];

/** How a kind of conversation reads. */
export const KIND_LABELS: Record<ConversationKind, string> = {
  direct: 'between two people',
  engagement: 'about coaching',
  project: 'about a project',
  support: 'with support',
};

// Reports ----------------------------------------------------------------------------------------

export const REPORT_STATES = ['open', 'settled'] as const;
export type ReportState = (typeof REPORT_STATES)[number];

export const REPORT_REASONS = ['spam', 'abuse', 'other'] as const;
export type ReportReason = (typeof REPORT_REASONS)[number];

/** As the person who reports a message chooses it. */
export const REPORT_CHOICES: Record<ReportReason, string> = {
  spam: 'It’s advertising or spam',
  abuse: 'It’s abusive or threatening',
  other: 'Something else',
};

/** As an admin reads it. */
export const REASON_LABELS: Record<ReportReason, string> = {
  spam: 'Spam',
  abuse: 'Abusive',
  other: 'Something else',
};

/** How a report ends: nothing happens, or the message is removed. */
export const REPORT_OUTCOMES = ['dismissed', 'removed'] as const;
export type ReportOutcome = (typeof REPORT_OUTCOMES)[number];

export const OUTCOME_LABELS: Record<ReportOutcome, string> = {
  dismissed: 'Message kept',
  removed: 'Message removed',
};

// Names and last messages ------------------------------------------------------------------------

/** Someone whose account is gone. */
export const FORMER_ACCOUNT = 'Deleted account';

export const displayName = (name: string | null | undefined) => name || 'Unnamed';

/** The name of an author; null stands for a deleted account. */
export const authorName = (id: string | null, people: ReadonlyMap<string, { name: string }>) =>
  id === null ? FORMER_ACCOUNT : displayName(people.get(id)?.name);

/** What a person is called on a short line. */
const firstName = (name: string) => name.split(/\s+/)[0] || 'Someone';

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

/** What was last said in a conversation, with who said it if that isn't clear. */
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
