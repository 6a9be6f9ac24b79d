/** What somebody has typed into a copy and the server does not have yet: kept in this browser only. */

export interface CopyDraft {
  /** The revision that it changes. */
  revision: number;
  title: string;
  body: string;
}

/** Where drafts live: `localStorage`, or what a test gives. */
export type DraftShelf = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Drafts belong to a person: nobody else who signs in on this browser sees them. */
const keyOf = (personId: string, copyId: string) => `trellis-copy:${personId}:${copyId}`;

/** The drafts of one person in one copy; a browser that refuses storage keeps none. */
export function draftOf(personId: string, copyId: string, shelf: () => DraftShelf) {
  const key = keyOf(personId, copyId);
  return {
    read(): CopyDraft | null {
      try {
        const value: unknown = JSON.parse(shelf().getItem(key) ?? 'null');
        return isDraft(value) ? value : null;
      } catch {
        return null;
      }
    },
    /** Whether it is kept. */
    keep(draft: CopyDraft): boolean {
      try {
        shelf().setItem(key, JSON.stringify(draft));
        return true;
      } catch {
        return false;
      }
    },
    /** Forgets what the server has; another tab's words stay. */
    forget({ title, body }: Pick<CopyDraft, 'title' | 'body'>): void {
      try {
        const kept = this.read();
        if (kept?.title === title && kept.body === body) shelf().removeItem(key);
      } catch {
        // There is nothing to forget.
      }
    },
  };
}

/** Storage can hold anything. */
function isDraft(value: unknown): value is CopyDraft {
  if (typeof value !== 'object' || value === null) return false;
  const { revision, title, body } = value as Record<string, unknown>;
  return Number.isInteger(revision) && typeof title === 'string' && typeof body === 'string';
}
