import { Secret, TOTP } from 'otpauth';

/** A new 160-bit secret in base32, the format authenticator apps use. */
export function createSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/**
 * The time step (30 s each, since 1970) of a code: the one at `time` (ms), or the one before or
 * after it. Null if the code matches none of them.
 */
export function stepOfCode(secret: string, code: string, time: number): number | null {
  const totp = new TOTP({ secret });
  const delta = totp.validate({ token: code, timestamp: time, window: 1 });
  return delta === null ? null : totp.counter({ timestamp: time }) + delta;
}

export function otpauthUri(secret: string, issuer: string, account: string): string {
  return new TOTP({ secret, issuer, label: account }).toString();
}
