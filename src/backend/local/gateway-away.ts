import { AuthError, authErrorResponse } from './auth-errors.ts';

export type Service = 'auth' | 'rest' | 'storage' | 'realtime' | 'functions';

/** The longest that a request waits for its answer once all of it is there, in ms. */
const LONGEST_WAIT = 8_500;

/** Nobody knows what came of it. */
export class TooLate extends Error {}

/**
 * Gives what `work` gives, or fails with `TooLate`; then it goes on by itself, and nobody hears of it.
 * @param whole when the time begins: a file may take as long as it likes to come in.
 */
export async function inTime<Result>(work: Promise<Result>, whole: Promise<void>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  let ended = false;
  const late = new Promise<never>((_, reject) => {
    void whole.then(() => {
      if (ended) return;
      timer = setTimeout(() => reject(new TooLate('No answer in time')), LONGEST_WAIT);
    });
  });
  return Promise.race([work, late]).finally(() => {
    ended = true;
    clearTimeout(timer);
  });
}

const SENTENCE = 'The service is not available for a moment. Try again.';
/** Seconds. */
const RETRY_AFTER = '1';

/** The answer while the database is away or does not answer, in the words of the service that was asked. */
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
