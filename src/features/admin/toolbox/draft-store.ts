/** A draft of a tool that's being written; each change saves the whole draft. */
import { computed } from 'nanostores';
import type { ToolFile, ToolVersion, ToolVideo } from '#data/toolbox.ts';
import { cleanCaptions } from '#domain/captions.ts';
import { Autosave, type Choice } from '#sync/autosave.ts';
import { oneLine } from '#sync/kind.ts';
import { type ToolDraftContent, toolDraftKind } from '#sync/kinds/tool-draft.ts';
import type { Sync } from '#sync/sync.ts';

export interface DraftDeps {
  /** Loads the draft's current state from the database. */
  read(): Promise<ToolVersion>;
  /** Returns the page's write pipeline, always the same one. Called only in a browser. */
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
  files: draft.files,
  video: draft.video,
  captions: draft.captions,
});

/** Changes to the files of a draft. */
function fileActions(
  content: () => ToolDraftContent,
  change: (part: Partial<ToolDraftContent>) => void,
) {
  return {
    /** Adds a stored file at the end. */
    addFile(file: ToolFile): void {
      change({ files: [...content().files.filter(({ id }) => id !== file.id), file] });
    },
    renameFile(id: string, name: string): void {
      change({
        files: content().files.map((file) => (file.id === id ? { ...file, name } : file)),
      });
    },
    /** Moves a file; `place` is its index among the others. */
    moveFile(id: string, place: number): void {
      const { files } = content();
      const others = files.filter((file) => file.id !== id);
      const moved = files.filter((file) => file.id === id);
      change({ files: [...others.slice(0, place), ...moved, ...others.slice(place)] });
    },
    removeFile(id: string): void {
      change({ files: content().files.filter((file) => file.id !== id) });
    },
    /** Sets the stored video, or removes it; its captions stay. */
    setVideo(video: ToolVideo | null): void {
      change({ video });
    },
    /** Sets the stored picture of the video, if there's one, or removes it. */
    setPoster(poster: string | null): void {
      const { video } = content();
      if (video) change({ video: { ...video, poster } });
    },
  };
}

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
      files: content.files.map((file) => ({ ...file, name: oneLine(file.name) })),
      captions: cleanCaptions(content.captions),
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
    ...fileActions(content, change),
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
