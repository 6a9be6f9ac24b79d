/** The outbox of the person who is signed in: what is in it, how it is sent, and what a refusal means. */
import { type AttemptKey, saveAnswers, saveConfidences } from '#data/attempts.ts';
import { getUserId } from '#data/session.ts';
import { db } from '#lib/door.ts';
import { toAppError } from '#lib/errors.ts';
import { createOutbox, type Outbox } from '#lib/outbox.ts';
import type { OutboxEnvironment } from '#lib/outbox-environment.ts';
import { holdUnsaved } from '#lib/unsaved.ts';
import type { Answer, Confidence } from '#lib/visitor-answers.ts';

export type SavedAnswer = AttemptKey & Answer;
export type SavedRating = AttemptKey & Confidence & { rated_at: string };

/** The way of each kind of entry to the database; each throws AppErrors. */
export interface OutboxDoors {
  saveAnswers(answers: SavedAnswer[]): Promise<void>;
  saveConfidences(ratings: SavedRating[]): Promise<void>;
  /** The id of the person who is signed in right now. */
  signedInAs(): Promise<string | null>;
}

/** The doors of a page. supabase-js is loaded when something is sent, not before. */
export const pageDoors: OutboxDoors = {
  saveAnswers: async (answers) => saveAnswers(await db(), answers),
  saveConfidences: async (ratings) => saveConfidences(await db(), ratings),
  signedInAs: async () => getUserId(await db()),
};

/** As many as the longest quiz has, so that a long time offline is one request. */
const BATCH = 50;
/** SQLSTATE of our own refusal: the attempt is not open any more. */
const CLOSED = '55000';

/**
 * Opens the outbox of a person: what waits in it is sent at once, and again until it arrived. Any
 * number of pages may have it open; one of them sends.
 * @param owner the person's id
 * @param onClosed called when an answer came too late for its attempt
 */
export function openOutbox(
  owner: string,
  doors: OutboxDoors = pageDoors,
  environment?: OutboxEnvironment,
  onClosed: () => void = () => {},
): Outbox {
  const outbox = createOutbox({
    owner,
    signedInAs: doors.signedInAs,
    ...(environment && { environment }),
    senders: {
      answer: {
        batch: BATCH,
        send: (due) => doors.saveAnswers(due.map(({ body }) => body as SavedAnswer)),
      },
      rating: {
        batch: BATCH,
        send: (due) => doors.saveConfidences(due.map(({ body }) => body as SavedRating)),
      },
    },
    classify(thrown) {
      const error = toAppError(thrown);
      if (error.code === CLOSED) {
        onClosed();
        return { refused: 'This quiz was closed before this answer arrived. It does not count.' };
      }
      if (error.kind === 'signed-out') return 'signed-out';
      if (error.kind === 'denied' || error.kind === 'invalid' || error.kind === 'not-found') {
        return { refused: error.message };
      }
      return 'later';
    },
  });
  return holdingUnsaved(outbox);
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
