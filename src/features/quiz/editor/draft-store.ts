/**
 * A draft of the quiz that's being edited. What's typed is saved part by part, as it's typed; adding,
 * removing and moving questions is saved at once, or undone if that fails.
 */
import { atom, computed, type ReadableAtom } from 'nanostores';
import {
  addQuizQuestion,
  type DraftQuestion,
  type DraftSettings,
  type EditedVersion,
  orderQuizQuestions,
  removeQuizQuestion,
} from '#data/quiz-versions.ts';
import type { Meaning } from '#domain/quiz-version.ts';
import { type AttemptDeps, createAttempt, createRequest } from '#lib/attempt.ts';
import { AppError } from '#lib/errors.ts';
import { Autosave, type Choice, type FieldState } from '#sync/autosave.ts';
import { oneLine } from '#sync/kind.ts';
import {
  type Checked,
  type QuestionText,
  quizQuestionKind,
  quizSettingsKind,
  type SettingsText,
  tidyQuestion,
  tidySettings,
} from '#sync/kinds/quiz-draft.ts';
import type { Sync } from '#sync/sync.ts';

export interface DraftDeps extends AttemptDeps {
  /** Loads the draft's current state from the database. */
  read(): Promise<EditedVersion>;
  /** Returns the page's write pipeline, always the same one. Called only in a browser. */
  openSync(): Sync;
}

/** Whether a question's words differ from those it was last published with. */
const isWordedAnew = ({ text, anchors }: QuestionText, { before }: Pick<DraftQuestion, 'before'>) =>
  before !== null &&
  (oneLine(text) !== before.text ||
    before.anchors.some((anchor, value) => oneLine(anchors[value] ?? '') !== anchor));

/** Whether it still means the same has to be said once the words are others. */
function meaningOf(now: QuestionText, was: QuestionText, stored: DraftQuestion): Meaning {
  if (stored.before === null) return 'new';
  if (!isWordedAnew(now, stored)) return 'same';
  return now.meaning === 'same' && !isWordedAnew(was, stored) ? null : now.meaning;
}

type Base = { revision: number };

function createQuestionAutosave(
  versionId: string,
  stored: DraftQuestion,
  deps: Pick<DraftDeps, 'openSync'> & { readQuestion(): Promise<DraftQuestion> },
) {
  return new Autosave<'question', QuestionText, DraftQuestion, Base, Checked<DraftQuestion>>({
    kind: quizQuestionKind,
    keyOf: () => `${versionId}/${stored.key}`,
    initial: { question: stored },
    shownOf: tidyQuestion,
    normalize: (_, value) => tidyQuestion(value),
    baseOf: ({ revision }) => ({ revision }),
    extend: (base) => base,
    isStale: (base, { revision }) => revision > base.revision,
    afterSaving: (before, text, answer) => answer ?? { ...before, ...text },
    isAnswerComplete: true,
    merge: (_theirs, mine) => mine,
    read: async () => ({ question: await deps.readQuestion() }),
    openSync: deps.openSync,
  });
}

/** The texts of one question, saved as they're typed. */
export interface QuestionStore {
  readonly $field: ReadableAtom<FieldState<QuestionText, DraftQuestion>>;
  change(part: Partial<QuestionText>): void;
  /** Resolves a conflict: saves mine over theirs, or keeps theirs and discards mine. */
  choose(which: Choice): void;
  flush(): void;
  /** Follows edits in all tabs and what other people save. Returns the cleanup. */
  open(): () => void;
}

/** Whether a field on the page is the same as the stored one. */
const isKept = (status: FieldState<unknown, unknown>['status']) =>
  status === null || status.name === 'saved' || status.name === 'updated';

function createSettingsAutosave(
  { id, settings }: EditedVersion,
  deps: Pick<DraftDeps, 'openSync'> & { readSettings(): Promise<DraftSettings> },
) {
  return new Autosave<'settings', SettingsText, DraftSettings, Base, Checked<DraftSettings>>({
    kind: quizSettingsKind,
    keyOf: () => id,
    initial: { settings },
    shownOf: tidySettings,
    normalize: (_, value) => tidySettings(value),
    baseOf: ({ revision }) => ({ revision }),
    extend: (base) => base,
    isStale: (base, { revision }) => revision > base.revision,
    afterSaving: (before, text, answer) => answer ?? { ...before, ...text },
    isAnswerComplete: true,
    merge: (_theirs, mine) => mine,
    read: async () => ({ settings: await deps.readSettings() }),
    openSync: deps.openSync,
  });
}

export class DraftStore {
  /** The draft as the page shows it: what's stored, with what's typed here. */
  readonly $draft;
  /** The key of the question that's open, if one is. */
  readonly $open = atom<string | null>(null);
  readonly #deps: DraftDeps;
  readonly #attempt;
  readonly #request;
  readonly #settings;
  #stored: EditedVersion;
  /** What's typed in questions and isn't stored yet, by key. */
  readonly #typed = new Map<string, QuestionText>();
  /** Resolves when the open questions are saved, or when we know why they aren't. */
  readonly #answered = new Map<string, () => Promise<void>>();
  #lastWrite: Promise<unknown> = Promise.resolve();
  /** Writes under way, which what's read may not include yet. */
  #writes = 0;
  #reading: Promise<EditedVersion> | null = null;

  constructor(deps: DraftDeps, initial: EditedVersion) {
    this.#deps = deps;
    this.#attempt = createAttempt(deps);
    this.#request = createRequest(deps);
    this.#stored = initial;
    this.$draft = atom(initial);
    this.#settings = createSettingsAutosave(initial, {
      openSync: deps.openSync,
      readSettings: async () => (await this.#read()).settings,
    });
  }

  get $settings() {
    return this.#settings.$fields;
  }

  /** Follows edits in all tabs and what other people save. Returns the cleanup. */
  open(): () => void {
    const sync = this.#deps.openSync();
    const { id } = this.#stored;
    const stops = [
      this.#settings.open(),
      this.#settings.$fields.subscribe(() => this.#show()),
      sync.onStored(quizSettingsKind, ({ key }, sent) => {
        if (key !== id || !sent) return;
        const { checks, ...settings } = sent.answer;
        this.#show({ ...this.#stored, settings, checks });
      }),
      sync.onStored(quizQuestionKind, ({ key }, sent) => {
        if (!key.startsWith(`${id}/`) || !sent) return;
        const { checks, ...question } = sent.answer;
        if (!this.#answered.has(question.key)) this.#typed.delete(question.key);
        const questions = this.#stored.questions.map((each) =>
          each.key === question.key ? question : each,
        );
        this.#show({ ...this.#stored, questions, checks });
      }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }

  flush(): void {
    this.#deps.openSync().flushAll();
  }

  /** The stored draft, once everything typed here is in it. Throws an AppError if it isn't. */
  refresh = async (): Promise<EditedVersion> => {
    this.#settings.flush();
    this.flush();
    await this.#settings.answered();
    for (const answered of this.#answered.values()) await answered();
    await this.#lastWrite;
    if (this.#unsent() > 0) throw new AppError('conflict', 'Your latest changes aren’t saved yet.');
    const draft = await this.#request(() => this.#deps.read());
    this.#show(draft);
    return draft;
  };

  /** Changes the title. */
  changeTitle(title: string): void {
    this.#settings.type('settings', { ...this.#settings.$fields.get().settings.value, title });
  }

  /** Changes how an area counts, or which of its questions is in the first look. */
  changeArea(key: string, part: Partial<Omit<SettingsText['areas'][number], 'key'>>): void {
    const { value } = this.#settings.$fields.get().settings;
    const areas = value.areas.map((area) => (area.key === key ? { ...area, ...part } : area));
    this.#settings.type('settings', { ...value, areas });
  }

  chooseSettings = (which: Choice) => this.#settings.choose('settings', which);

  /** The store of a question that's opened. */
  editQuestion(key: string): QuestionStore {
    const stored = this.#find(key);
    if (!stored) throw new Error(`The draft has no question ${key}.`);
    const autosave = createQuestionAutosave(this.#stored.id, stored, {
      openSync: this.#deps.openSync,
      readQuestion: async () => {
        const found = (await this.#read()).questions.find((each) => each.key === key);
        if (!found) throw new Error(`The draft has no question ${key} anymore.`);
        return found;
      },
    });
    return {
      $field: computed(autosave.$fields, ({ question }) => question),
      change: (part) => {
        const was = autosave.$fields.get().question.value;
        const now = { ...was, ...part };
        autosave.type('question', {
          ...now,
          meaning: meaningOf(now, was, this.#find(key) ?? stored),
        });
      },
      choose: (which) => autosave.choose('question', which),
      flush: () => autosave.flush(),
      open: () => {
        this.#answered.set(key, () => autosave.answered());
        const close = autosave.open();
        const stop = autosave.$fields.subscribe(({ question }) => {
          this.#typed.set(key, question.value);
          this.#show();
        });
        return () => {
          stop();
          this.#answered.delete(key);
          if (isKept(autosave.$fields.get().question.status)) this.#typed.delete(key);
          close();
        };
      },
    };
  }

  /** Moves a question to an index among the other questions of its area. */
  async move(key: string, place: number): Promise<void> {
    const question = this.#find(key);
    if (!question) return;
    const { area_key, practice } = question;
    const before = this.#stored.questions
      .filter((each) => each.area_key === area_key)
      .map((each) => each.key);
    const from = before.indexOf(key);
    const to = Math.min(Math.max(place, 0), before.length - 1);
    if (from === to) return;
    const keys = before.toSpliced(from, 1).toSpliced(to, 0, key);
    this.#order(area_key, keys);
    await this.#write(
      `“${practice || 'The question'}” wasn’t moved`,
      (db) => orderQuizQuestions(db, this.#stored.id, area_key, keys),
      () => void this.move(key, place),
      () => this.#order(area_key, before),
    );
    // Brings what keeps the draft from being published. If it fails, the next read does.
    await this.#read().catch(() => {});
  }

  /** Adds a question to an area and opens it. Throws an AppError. */
  async add(area: string, about: { key: string } | { practice: string }): Promise<void> {
    const { key, version } = await this.#request((db) =>
      addQuizQuestion(db, this.#stored.id, area, about),
    );
    this.#show(version);
    this.$open.set(key);
  }

  /** Removes a question. Throws an AppError. */
  remove = async (key: string): Promise<void> => {
    const version = await this.#request((db) => removeQuizQuestion(db, this.#stored.id, key));
    if (this.$open.get() === key) this.$open.set(null);
    this.#typed.delete(key);
    this.#deps.openSync().discard(quizQuestionKind, `${version.id}/${key}`);
    this.#show(version);
  };

  #find(key: string): DraftQuestion | undefined {
    return this.#stored.questions.find((each) => each.key === key);
  }

  #unsent(): number {
    const sync = this.#deps.openSync();
    const { id } = this.#stored;
    const questions = sync.unsentOf(quizQuestionKind).filter(({ key }) => key.startsWith(`${id}/`));
    const settings = sync.unsentOf(quizSettingsKind).filter(({ key }) => key === id);
    return questions.length + settings.length;
  }

  /** Shows what's stored, with what's typed here. */
  #show(stored = this.#stored): void {
    this.#stored = stored;
    const { settings } = this.#settings.$fields.get();
    this.$draft.set({
      ...stored,
      settings: isKept(settings.status)
        ? stored.settings
        : { ...stored.settings, ...settings.value },
      questions: stored.questions.map((each) => ({ ...each, ...this.#typed.get(each.key) })),
    });
    const open = this.$open.get();
    if (open !== null && !this.#find(open)) this.$open.set(null);
  }

  #order(area: string, keys: readonly string[]): void {
    const { areas, questions } = this.#stored;
    const own = keys.flatMap((key) => this.#find(key) ?? []);
    this.#show({
      ...this.#stored,
      questions: areas.flatMap(({ key }) =>
        key === area ? own : questions.filter(({ area_key }) => area_key === key),
      ),
    });
  }

  /** Reads the draft; those who ask at the same time share one read. */
  #read(): Promise<EditedVersion> {
    this.#reading ??= this.#deps
      .read()
      .then((draft) => {
        if (this.#writes === 0) this.#show(draft);
        return draft;
      })
      .finally(() => {
        this.#reading = null;
      });
    return this.#reading;
  }

  /** Queues a write, so they're saved in order. */
  #write(...attempt: Parameters<ReturnType<typeof createAttempt>>): Promise<unknown> {
    this.#writes += 1;
    this.#lastWrite = this.#lastWrite.then(async () => {
      await this.#attempt(...attempt);
      this.#writes -= 1;
    });
    return this.#lastWrite;
  }
}
