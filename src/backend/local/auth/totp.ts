import { createHmac, randomBytes } from 'node:crypto';

/** Length of a step, in seconds, and digits of a code: what every authenticator app assumes. */
const STEP = 30;
const DIGITS = 6;

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** A fresh secret of 160 bits in base32, as apps take it. */
export function makeSecret(): string {
  let bits = '';
  for (const byte of randomBytes(20)) bits += byte.toString(2).padStart(8, '0');
  return (bits.match(/.{5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five, 2)]).join('');
}

/** The code at a moment, in ms since 1970 (RFC 6238 with SHA-1). */
export function codeAt(secret: string, time: number): string {
  return codeOfStep(secret, Math.floor(time / 1000 / STEP));
}

/**
 * The step (30 s since 1970) whose code this is: the present one or a neighbour, since clocks differ.
 * @returns null when the code is none of the three.
 */
export function stepOfCode(secret: string, code: string, time: number): number | null {
  const now = Math.floor(time / 1000 / STEP);
  return [now, now - 1, now + 1].find((step) => codeOfStep(secret, step) === code) ?? null;
}

/** The address that an app reads from a picture or a link. */
export function otpauthUri(secret: string, issuer: string, account: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  const query = new URLSearchParams({
    algorithm: 'SHA1',
    digits: `${DIGITS}`,
    issuer,
    period: `${STEP}`,
    secret,
  });
  return `otpauth://totp/${label}?${query.toString().replaceAll('+', '%20')}`;
}

function codeOfStep(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', decode(secret)).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  const number = digest.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

function decode(secret: string): Buffer {
  const bits = [...secret]
    .map((sign) => ALPHABET.indexOf(sign).toString(2).padStart(5, '0'))
    .join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
