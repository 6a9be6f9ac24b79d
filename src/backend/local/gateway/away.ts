import { AuthError, authErrorResponse } from '../auth/errors.ts';

export type Service = 'auth' | 'rest' | 'storage' | 'realtime' | 'functions';

/** The longest that a request waits for its answer once all of it is there, in ms. */
const LONGEST_WAIT = 8_500;

/** A request that took too long: whether its work was done is unknown. */
export class TooLate extends Error {}

/**
 * Gives the result of `work`, or rejects with `TooLate` after 8.5 s. `work` isn't stopped then, but
 * its result is ignored.
 * @param whole resolves when the whole request is here: the time starts then, because an upload may
 *   take as long as it likes.
 */
export async function inTime<Result>(work: Promise<Result>, whole: Promise<void>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  let ended = false;
  const late = new Promise<never>((_, reject) => {
    void whole.then(() => {
      if (ended) return;
      timer = setTimeout(() => reject(new TooLate('no answer in time')), LONGEST_WAIT);
    });
  });
  return Promise.race([work, late]).finally(() => {
    ended = true;
    clearTimeout(timer);
  });
}

const SENTENCE = 'The service is unavailable right now. Wait a moment and try again.';
/** Seconds. */
const RETRY_AFTER = '1';

/** The 503 while the database can't be reached, in the format of the service that was asked. */
export function awayResponse(service: Service): Response {
  const answer =
    service === 'auth'
      ? authErrorResponse(new AuthError(503, 'request_timeout', SENTENCE))
      : Response.json(BODIES[service], { status: 503 });
  answer.headers.set('retry-after', RETRY_AFTER);
  return answer;
}

const BODIES = {
  rest: { code: 'PGRST001', message: SENTENCE, details: null, hint: null },
  storage: { statusCode: '503', error: 'Service Unavailable', message: SENTENCE },
  realtime: { message: SENTENCE },
  functions: { code: 'SERVICE_UNAVAILABLE', message: SENTENCE },
};
