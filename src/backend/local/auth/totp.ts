import { Secret, TOTP } from 'otpauth';

/** A fresh secret of 160 bits in base32, as authenticator apps take it. */
export function createSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/**
 * The step (30 s since 1970) that a code belongs to, at `time` (ms) or next to it; null where it's
 * none of them.
 */
export function stepOfCode(secret: string, code: string, time: number): number | null {
  const totp = new TOTP({ secret });
  const delta = totp.validate({ token: code, timestamp: time, window: 1 });
  return delta === null ? null : totp.counter({ timestamp: time }) + delta;
}

export function otpauthUri(secret: string, issuer: string, account: string): string {
  return new TOTP({ secret, issuer, label: account }).toString();
}
