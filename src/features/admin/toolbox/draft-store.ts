/** A draft of a tool that's being written; each change saves the whole draft. */
import { computed } from 'nanostores';
import type { ToolVersion } from '#data/toolbox.ts';
import { Autosave, type Choice } from '#sync/autosave.ts';
import { oneLine } from '#sync/kind.ts';
import { type ToolDraftContent, toolDraftKind } from '#sync/kinds/tool-draft.ts';
import type { Sync } from '#sync/sync.ts';

export interface DraftDeps {
  /** Loads the draft's current state from the database. */
  read(): Promise<ToolVersion>;
  /** Called once, and only in a browser. */
  openSync(): Sync;
}

/** A draft as it's stored, as far as the editor looks at it. */
type StoredDraft = Omit<ToolVersion, keyof ToolDraftContent> & ToolDraftContent;

const contentOf = (draft: StoredDraft): ToolDraftContent => ({
  slug: draft.slug,
  title: draft.title,
  summary: draft.summary,
  type: draft.type,
  area_key: draft.area_key,
  practice: draft.practice,
  levels: draft.levels,
  minutes: draft.minutes,
  format: draft.format,
  calculator: draft.calculator,
  body_markdown: draft.body_markdown,
});

/** Creates the store for one draft, starting from the state that the server rendered. */
export function createDraftStore(initial: ToolVersion, deps: DraftDeps) {
  const autosave = new Autosave<
    'draft',
    ToolDraftContent,
    StoredDraft,
    { revision: number },
    ToolVersion
  >({
    kind: toolDraftKind,
    keyOf: () => initial.id,
    initial: { draft: initial },
    shownOf: contentOf,
    normalize: (_field, content) => ({
      ...content,
      slug: oneLine(content.slug),
      title: oneLine(content.title),
      summary: oneLine(content.summary),
      format: oneLine(content.format),
      body_markdown: content.body_markdown.replaceAll('\r\n', '\n'),
    }),
    baseOf: ({ revision }) => ({ revision }),
    extend: (base) => base,
    isStale: (base, { revision }) => revision > base.revision,
    afterSaving: (before, content, answer) => answer ?? { ...before, ...content },
    isAnswerComplete: true,
    merge: (_theirs, mine) => mine,
    read: async () => ({ draft: await deps.read() }),
    openSync: deps.openSync,
  });
  const content = () => autosave.$fields.get().draft.value;
  const change = (part: Partial<ToolDraftContent>): void =>
    autosave.type('draft', { ...content(), ...part });
  return {
    $content: computed(autosave.$fields, ({ draft }) => draft.value),
    $status: computed(autosave.$fields, ({ draft }) => draft.status),
    /** Changes some of the draft's fields. */
    change,
    /** Chooses the area; a practice belongs to one. */
    chooseArea(area_key: string): void {
      change({ area_key, practice: null });
    },
    /** Adds a level, or takes it out. */
    toggleLevel(level: string): void {
      const { levels } = content();
      change({
        levels: levels.includes(level)
          ? levels.filter((each) => each !== level)
          : [...levels, level],
      });
    },
    flush: () => autosave.flush(),
    /** Resolves when everything is saved, or when we know why it isn't. */
    answered: () => autosave.answered(),
    /** Resolves a conflict: saves mine over theirs, or keeps theirs and discards mine. */
    choose: (which: Choice) => autosave.choose('draft', which),
    /** Follows edits in all tabs and what other people save. Returns the cleanup. */
    open: () => autosave.open(),
  };
}

export type DraftStore = ReturnType<typeof createDraftStore>;
