import { AuthError } from './auth-errors.ts';

/**
 * The place of the second factor: enrol, challenge, verify and unenrol below /auth/v1/factors.
 * Sessions already carry `aal` and `amr`, people carry `factors`, and every policy asks
 * `private.session_ok()`; until factors can be enrolled, nobody has one.
 */
export function factors(): never {
  throw new AuthError(404, 'mfa_factor_not_found', 'A second factor cannot be enrolled yet.');
}
