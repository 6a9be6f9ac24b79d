import { isDatabaseAway, isOutOfSpace } from '#backend/supabase/functions/_shared/connection.ts';
import { AuthError, authErrorResponse } from '../auth/errors.ts';
import { outOfSpaceResponse } from '../postgres/disk-space.ts';

export type Service = 'auth' | 'rest' | 'storage' | 'realtime' | 'functions';

/** An invalid request. Its response has the message where each service's client looks for it. */
export class RequestError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }

  toResponse(): Response {
    const { status, code, message } = this;
    const body = { code, statusCode: String(status), error: message, message };
    // Closes the connection instead of waiting for the rest of a slow body.
    const headers: HeadersInit = status === 408 ? { connection: 'close' } : {};
    return Response.json(body, { status, headers });
  }
}

export const badRequest = (message: string) => new RequestError(400, 'BAD_REQUEST', message);
export const tooLarge = () => new RequestError(413, 'PAYLOAD_TOO_LARGE', 'Payload too large');
export const tooSlow = () => new RequestError(408, 'REQUEST_TIMEOUT', 'The request took too long');

/** Thrown when a request times out; its work may or may not have been done. */
export class TooLate extends Error {}

/** The response to a failed request; undefined if the error is an unexpected one. */
export function responseToError(error: unknown, service: Service): Response | undefined {
  // An error in a stream arrives as the cause of another error.
  const cause = (error as Error).cause;
  const refused = [error, cause].find((each) => each instanceof RequestError);
  if (refused) return refused.toResponse();
  if (isOutOfSpace(error)) return outOfSpaceResponse();
  if (error instanceof AuthError) return authErrorResponse(error);
  if (isUnavailable(error)) return unavailableResponse(service);
  return undefined;
}

/** Whether the same request may succeed later. */
export const isUnavailable = (error: unknown) => error instanceof TooLate || isDatabaseAway(error);

const SENTENCE = 'The service is unavailable right now. Wait a moment and try again.';
/** Seconds. */
const RETRY_AFTER = '1';

/** The 503 response when the database is unreachable or too slow, in the service's own format. */
export function unavailableResponse(service: Service): Response {
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

export function notFound(): Response {
  return Response.json({ code: 'NOT_FOUND', message: 'Not found' }, { status: 404 });
}
