/** A refusal of Auth: what the person's client is told, and nothing more. */
export class AuthError extends Error {
  readonly status: number;
  /** Of Supabase Auth; supabase-js reads it. */
  readonly code: string;
  readonly details: Record<string, unknown>;

  constructor(status: number, code: string, message: string, details = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

const API_VERSION = '2024-01-01';

/** Answers with JSON that no cache may keep. */
export function authJson(
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
): Response {
  return Response.json(body, {
    status,
    headers: { 'cache-control': 'no-store', 'x-supabase-api-version': API_VERSION, ...headers },
  });
}

/** Turns a refusal into the answer that both generations of Supabase clients understand. */
export function authErrorResponse(error: AuthError): Response {
  const { code, message, status, details } = error;
  return authJson({ code, error_code: code, message, msg: message, ...details }, status, {
    'x-sb-error-code': code,
    ...(status === 429 ? { 'retry-after': '60' } : {}),
  });
}
