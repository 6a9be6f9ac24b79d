import { classifyError } from '#lib/classify-error.ts';
import { AppError } from '#lib/errors.ts';

/** As many as the longest quiz has, so that a long time offline is one request. */
export const BATCH = 50;

/** SQLSTATE of our own refusal: the attempt is not open any more. */
const CLOSED = '55000';

export const isClosed = (thrown: unknown): boolean => classifyError(thrown).code === CLOSED;

/** Refuses an answer that came too late for its attempt, in words about answers. */
export async function refuseWhereClosed<T>(sending: Promise<T>): Promise<T> {
  try {
    return await sending;
  } catch (thrown) {
    if (!isClosed(thrown)) throw thrown;
    throw new AppError(
      'conflict',
      'This quiz closed before your answer arrived, so it doesn’t count.',
      { cause: thrown },
    );
  }
}
