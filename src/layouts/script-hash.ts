import { createHash } from 'node:crypto';

const known = new Map<string, `sha256-${string}`>();

/** Hashes an inline script for the page's CSP; cached, since most pages have the same scripts. */
export function hashOf(script: string): `sha256-${string}` {
  const hash =
    known.get(script) ?? `sha256-${createHash('sha256').update(script).digest('base64')}`;
  known.set(script, hash as `sha256-${string}`);
  return hash as `sha256-${string}`;
}
