/** How each kind of the outbox's entries reaches the database, and what its refusal means. */

import type { AttemptKey } from '#data/attempts.ts';
import type { PlanChange } from '#data/business-plans.ts';
import type { FactChange } from '#data/businesses.ts';
import type { Message, MessageDraft, NewMessage } from '#data/messages.ts';
import type { ProjectTask } from '#data/projects.ts';
import type { Answer, Confidence } from '#domain/attempt.ts';
import { planProblem } from '#domain/plan.ts';
import { classifyError } from '#lib/classify-error.ts';
import { AppError } from '#lib/errors.ts';
import { type FactField, factProblem, type NewBusiness } from '#lib/schemas.ts';
import type { OutboxFailure, OutboxOptions } from '#sync/outbox.ts';
import { outboxFailureOf } from '#sync/outbox-failure.ts';
import type { OutboxEntry } from '#sync/outbox-shelf.ts';

export const PROJECT_TASK = 'project-task';
export const PROJECT_UPDATE = 'project-update';
/** Ending an attempt at the quiz; its key is the attempt's id. */
export const QUIZ_FINISH = 'finish';

export type SavedAnswer = AttemptKey & Answer;
export type SavedRating = AttemptKey & Confidence & { rated_at: string };

/** A business that somebody is about to add, as often as they change it. */
export interface BegunBusiness {
  id: string;
  input: NewBusiness;
  /** What was sent of each field before, so that the newest words are saved and nobody else's are lost. */
  earlier: Partial<Record<FactField, string[]>>;
}

/** A task as its project's page has written it. */
export interface WrittenTask {
  id: string;
  projectId: string;
  title: string;
  /** `2026-12-21`, or empty. */
  dueOn: string;
}

/** An update as its project's page has written it. */
export interface WrittenUpdate {
  id: string;
  projectId: string;
  body: string;
}

/** When an update was written, by the database's clock. */
export interface StoredUpdate {
  at: string;
}

/** What a changed field of a business or a plan is kept with; its key is `<business>/<field>`. */
interface KeptBody<Base> {
  value: string;
  base: Base;
}

/** The way of each kind of entry to the database; each throws AppErrors. */
export interface OutboxDeps {
  saveAnswers(answers: SavedAnswer[]): Promise<void>;
  saveConfidences(ratings: SavedRating[]): Promise<void>;
  /** The id of the person who is signed in right now. */
  signedInAs(): Promise<string | null>;
  /** What a page does without is left to the next one that has it. */
  finishAttempt?(id: string): Promise<unknown>;
  saveBusiness?(begun: BegunBusiness): Promise<void>;
  saveFact?(change: FactChange): Promise<void>;
  savePlanField?(change: PlanChange): Promise<void>;
  sendMessage?(message: NewMessage): Promise<Message>;
  saveDraft?(draft: MessageDraft): Promise<void>;
  addTask?(task: WrittenTask): Promise<ProjectTask>;
  addUpdate?(update: WrittenUpdate): Promise<StoredUpdate>;
}

/** Called with what this page has sent, as it is stored. */
export interface OutboxNews {
  message?: (stored: Message) => void;
  task?: (written: WrittenTask, stored: ProjectTask) => void;
  update?: (written: WrittenUpdate, stored: StoredUpdate) => void;
}

/** What does not fit is refused here in the same words, without asking for it. */
function check(problem: string | null): void {
  if (problem !== null) throw new AppError('invalid', problem);
}

/** As many as the longest quiz has, so that a long time offline is one request. */
const BATCH = 50;
/** SQLSTATE of our own refusal: the attempt is not open any more. */
const CLOSED = '55000';

/** How long a draft lies before other devices may have it: until the person pauses. */
const DRAFT_RESTS_MS = 1_500;

/** An answer came too late for its attempt. */
class QuizClosed extends Error {}

async function toQuiz(sending: Promise<void>): Promise<void> {
  try {
    await sending;
  } catch (thrown) {
    const error = classifyError(thrown);
    throw error.code === CLOSED ? new QuizClosed() : error;
  }
}

/** `<business>/<field>` as it stands in the key of an entry. */
function placeOf({ key }: OutboxEntry): { business_id: string; field: string } {
  const [business_id = '', field = ''] = key.split('/');
  return { business_id, field };
}

/**
 * Answers and ratings of the quiz go together, as many as there are. Finishing it comes behind all of
 * them; where it is closed already there is nothing left to finish.
 */
function quizSenders(deps: OutboxDeps): OutboxOptions['senders'] {
  const { saveAnswers, saveConfidences, finishAttempt } = deps;
  return {
    answer: {
      batch: BATCH,
      send: (due) => toQuiz(saveAnswers(due.map(({ body }) => body as SavedAnswer))),
    },
    rating: {
      batch: BATCH,
      send: (due) => toQuiz(saveConfidences(due.map(({ body }) => body as SavedRating))),
    },
    ...(finishAttempt && {
      [QUIZ_FINISH]: {
        batch: 1,
        follows: (mine, other) => other.key.startsWith(`${mine.key}/`),
        async send([entry]) {
          try {
            await finishAttempt(entry?.key ?? '');
          } catch (thrown) {
            if (classifyError(thrown).code !== CLOSED) throw thrown;
          }
        },
      },
    }),
  };
}

/** Fields of businesses and plans go one by one: each has its own answer. */
function businessSenders(deps: OutboxDeps): OutboxOptions['senders'] {
  const { saveBusiness, saveFact, savePlanField: saveField } = deps;
  return {
    ...(saveBusiness && {
      business: {
        batch: 1,
        send: async ([entry]) => saveBusiness(entry?.body as BegunBusiness),
      },
    }),
    ...(saveFact && {
      fact: {
        batch: 1,
        async send([entry]) {
          if (!entry) return;
          const { value, base } = entry.body as KeptBody<Pick<FactChange, 'known'>>;
          const place = placeOf(entry) as Pick<FactChange, 'business_id' | 'field'>;
          check(factProblem(place.field, value));
          await saveFact({ ...place, value, ...base });
        },
      },
    }),
    ...(saveField && {
      plan: {
        batch: 1,
        async send([entry]) {
          if (!entry) return;
          const { value, base } = entry.body as KeptBody<Pick<PlanChange, 'revision' | 'editor'>>;
          const place = placeOf(entry) as Pick<PlanChange, 'business_id' | 'field'>;
          check(planProblem(value));
          await saveField({ ...place, value, ...base });
        },
      },
    }),
  };
}

/** Messages go one by one, in the order in which they were written. */
function messageSenders(
  { sendMessage, saveDraft }: OutboxDeps,
  news: OutboxNews,
): OutboxOptions['senders'] {
  return {
    ...(sendMessage && {
      message: {
        batch: 1,
        async send([entry]) {
          if (!entry) return;
          const stored = await sendMessage(entry.body as NewMessage);
          news.message?.(stored);
        },
      },
    }),
    ...(saveDraft && {
      draft: {
        batch: 1,
        rest: DRAFT_RESTS_MS,
        send: async ([entry]) => saveDraft(entry?.body as MessageDraft),
      },
    }),
  };
}

/** Tasks and updates of projects go one by one, in the order in which they were written. */
function projectSenders(
  { addTask, addUpdate }: OutboxDeps,
  news: OutboxNews,
): OutboxOptions['senders'] {
  return {
    ...(addTask && {
      [PROJECT_TASK]: {
        batch: 1,
        async send([entry]) {
          const written = entry?.body as WrittenTask;
          const stored = await addTask(written);
          news.task?.(written, stored);
        },
      },
    }),
    ...(addUpdate && {
      [PROJECT_UPDATE]: {
        batch: 1,
        async send([entry]) {
          const written = entry?.body as WrittenUpdate;
          const stored = await addUpdate(written);
          news.update?.(written, stored);
        },
      },
    }),
  };
}

/** The senders of all kinds for which a page has a way. */
export function sendersOf(deps: OutboxDeps, news: OutboxNews): OutboxOptions['senders'] {
  return {
    ...quizSenders(deps),
    ...businessSenders(deps),
    ...messageSenders(deps, news),
    ...projectSenders(deps, news),
  };
}

/** What an error of these senders means for its entry. */
export function classify(thrown: unknown): OutboxFailure {
  if (thrown instanceof QuizClosed) {
    return { refused: 'This quiz was closed before this answer arrived. It does not count.' };
  }
  return outboxFailureOf(thrown);
}
