/** The outbox of the person who is signed in: what is in it, how it is sent, and what a refusal means. */
import { type AttemptKey, saveAnswers, saveConfidences } from '#data/attempts.ts';
import { type PlanChange, savePlanField } from '#data/business-plans.ts';
import { createBusiness, type FactChange, saveBusinessFact } from '#data/businesses.ts';
import {
  createMessage,
  type Message,
  type MessageDraft,
  type NewMessage,
  saveMessageDraft,
} from '#data/messages.ts';
import { getUserId } from '#data/session.ts';
import { db } from '#lib/door.ts';
import { AppError } from '#lib/errors.ts';
import { failureOf } from '#lib/failure-of.ts';
import { createOutbox, type Outbox, type OutboxOptions } from '#lib/outbox.ts';
import type { OutboxEnvironment } from '#lib/outbox-environment.ts';
import { outboxFailureOf } from '#lib/outbox-failure.ts';
import type { OutboxEntry } from '#lib/outbox-shelf.ts';
import { type FactField, factProblem, type NewBusiness, planProblem } from '#lib/schemas.ts';
import { holdUnsaved } from '#lib/unsaved.ts';
import type { Answer, Confidence } from '#lib/visitor-answers.ts';
import { whenSignedIn } from './when-back.ts';

export type SavedAnswer = AttemptKey & Answer;
export type SavedRating = AttemptKey & Confidence & { rated_at: string };

/** A business that somebody is about to add, as often as they change it. */
export interface BegunBusiness {
  id: string;
  input: NewBusiness;
  /** What was sent of each field before, so that the newest words are saved and nobody else's are lost. */
  earlier: Partial<Record<FactField, string[]>>;
}

/** What a changed field of a business or a plan is kept with; its key is `<business>/<field>`. */
interface KeptBody<Base> {
  value: string;
  base: Base;
}

/** The way of each kind of entry to the database; each throws AppErrors. */
export interface OutboxDoors {
  saveAnswers(answers: SavedAnswer[]): Promise<void>;
  saveConfidences(ratings: SavedRating[]): Promise<void>;
  /** The id of the person who is signed in right now. */
  signedInAs(): Promise<string | null>;
  /** What a page does without is left to the next one that has it. */
  saveBusiness?(begun: BegunBusiness): Promise<void>;
  saveFact?(change: FactChange): Promise<void>;
  savePlanField?(change: PlanChange): Promise<void>;
  sendMessage?(message: NewMessage): Promise<Message>;
  saveDraft?(draft: MessageDraft): Promise<void>;
}

/** The doors of a page. supabase-js is loaded when something is sent, not before. */
export const pageDoors: OutboxDoors = {
  saveAnswers: async (answers) => saveAnswers(await db(), answers),
  saveConfidences: async (ratings) => saveConfidences(await db(), ratings),
  signedInAs: async () => getUserId(await db()),
  saveBusiness: async (begun) => saveBegun(begun),
  saveFact: async (change) => saveBusinessFact(await db(), change),
  savePlanField: async (change) => savePlanField(await db(), change),
  sendMessage: async (message) => createMessage(await db(), message),
  saveDraft: async (draft) => saveMessageDraft(await db(), draft),
};

/** Makes the business, or finds it made; then saves what has changed since it was first sent. */
async function saveBegun({ id, input, earlier }: BegunBusiness): Promise<void> {
  const door = await db();
  await createBusiness(door, id, input);
  const now: Partial<Record<FactField, string>> = {
    name: input.name,
    trading: input.trading,
    postal_code: input.postalCode,
    help_wanted: input.helpWanted,
  };
  for (const [field, known] of Object.entries(earlier) as [FactField, string[]][]) {
    await saveBusinessFact(door, { business_id: id, field, value: now[field] ?? '', known });
  }
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

/** More messages than a person may send in a short time: they go out later. */
class TooManyMessages extends Error {}

async function toQuiz(sending: Promise<void>): Promise<void> {
  try {
    await sending;
  } catch (thrown) {
    const error = failureOf(thrown);
    throw error.code === CLOSED ? new QuizClosed() : error;
  }
}

async function toConversation<T>(sending: Promise<T>): Promise<T> {
  try {
    return await sending;
  } catch (thrown) {
    const error = failureOf(thrown);
    throw error.kind === 'rate-limited' ? new TooManyMessages() : error;
  }
}

/** `<business>/<field>` as it stands in the key of an entry. */
function placeOf({ key }: OutboxEntry): { business_id: string; field: string } {
  const [business_id = '', field = ''] = key.split('/');
  return { business_id, field };
}

/**
 * Opens the outbox of a person: what waits in it is sent at once, and again until it arrived. Any
 * number of pages may have it open; one of them sends.
 * @param owner the person's id
 * @param told called with each message that this page has sent, as it is stored
 */
export function openOutbox(
  owner: string,
  doors: OutboxDoors = pageDoors,
  environment?: OutboxEnvironment,
  told: (message: Message) => void = () => {},
): Outbox {
  const outbox = createOutbox({
    owner,
    signedInAs: doors.signedInAs,
    ...(environment && { environment }),
    senders: {
      answer: {
        batch: BATCH,
        send: (due) => toQuiz(doors.saveAnswers(due.map(({ body }) => body as SavedAnswer))),
      },
      rating: {
        batch: BATCH,
        send: (due) => toQuiz(doors.saveConfidences(due.map(({ body }) => body as SavedRating))),
      },
      ...businessSenders(doors),
      ...messageSenders(doors, told),
    },
    classify(thrown) {
      if (thrown instanceof TooManyMessages) return 'kind-later';
      if (thrown instanceof QuizClosed) {
        return { refused: 'This quiz was closed before this answer arrived. It does not count.' };
      }
      return outboxFailureOf(thrown);
    },
  });
  return goingOnWhenBack(holdingUnsaved(outbox));
}

/** Fields of businesses and plans go one by one: each has its own answer. */
function businessSenders(doors: OutboxDoors): OutboxOptions['senders'] {
  const { saveBusiness, saveFact, savePlanField: saveField } = doors;
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
  { sendMessage, saveDraft }: OutboxDoors,
  told: (message: Message) => void,
): OutboxOptions['senders'] {
  return {
    ...(sendMessage && {
      message: {
        batch: 1,
        async send([entry]) {
          if (entry) told(await toConversation(sendMessage(entry.body as NewMessage)));
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

/** What waits for the person goes out when they have signed in again. */
function goingOnWhenBack(outbox: Outbox): Outbox {
  const stop = whenSignedIn(outbox.flush);
  return {
    ...outbox,
    close() {
      stop();
      outbox.close();
    },
  };
}

/** The page counts as unsaved while an entry of it is on its way. Refused ones go nowhere. */
function holdingUnsaved(outbox: Outbox): Outbox {
  let release: (() => void) | null = null;
  const stop = outbox.$entries.subscribe((entries) => {
    const waits = entries.some(({ refused }) => refused === undefined);
    if (waits) {
      release ??= holdUnsaved();
    } else {
      release?.();
      release = null;
    }
  });
  return {
    ...outbox,
    close() {
      stop();
      release?.();
      outbox.close();
    },
  };
}
