import { classifyError } from '#lib/classify-error.ts';
import { AppError } from '#lib/errors.ts';

/** Enough for the longest quiz, so that answers from a long time offline fit in one request. */
export const BATCH = 50;

/** The SQLSTATE our procedures raise when the attempt is no longer open. */
const CLOSED = '55000';

export const isClosed = (thrown: unknown): boolean => classifyError(thrown).code === CLOSED;

/** If the attempt closed before an answer arrived, says so in a message about answers. */
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
