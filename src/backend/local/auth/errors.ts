/** A rejected Auth request. The client gets exactly what this contains. */
export class AuthError extends Error {
  readonly status: number;
  /** A Supabase Auth error code, which supabase-js reads. */
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

/** Creates a JSON response that must not be cached. */
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

/** Creates an error response that older and newer Supabase clients both understand. */
export function authErrorResponse(error: AuthError): Response {
  const { code, message, status, details } = error;
  return authJson({ code, error_code: code, message, msg: message, ...details }, status, {
    'x-sb-error-code': code,
    ...(status === 429 ? { 'retry-after': '60' } : {}),
  });
}
