/** Error codes of Supabase Auth that this one answers with; supabase-js reads them. */
export type AuthErrorCode =
  | 'bad_json'
  | 'bad_jwt'
  | 'current_password_mismatch'
  | 'current_password_required'
  | 'email_address_invalid'
  | 'invalid_credentials'
  | 'insufficient_aal'
  | 'mfa_challenge_expired'
  | 'mfa_factor_not_found'
  | 'mfa_verification_failed'
  | 'no_authorization'
  | 'otp_expired'
  | 'over_email_send_rate_limit'
  | 'over_request_rate_limit'
  | 'refresh_token_already_used'
  | 'refresh_token_not_found'
  | 'request_timeout'
  | 'same_password'
  | 'session_not_found'
  | 'unexpected_failure'
  | 'user_banned'
  | 'user_not_found'
  | 'validation_failed'
  | 'weak_password';

/** A refusal of Auth: what the person's client is told, and nothing more. */
export class AuthError extends Error {
  readonly status: number;
  readonly code: AuthErrorCode;
  readonly details: Record<string, unknown>;

  constructor(
    status: number,
    code: AuthErrorCode,
    message: string,
    details: Record<string, unknown> = {},
  ) {
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
