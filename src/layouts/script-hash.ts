import { createHash } from 'node:crypto';

const known = new Map<string, `sha256-${string}`>();

/** What a page's policy calls an inline script; worked out once, as most pages have the same ones. */
export function hashOf(script: string): `sha256-${string}` {
  const hash =
    known.get(script) ?? `sha256-${createHash('sha256').update(script).digest('base64')}`;
  known.set(script, hash as `sha256-${string}`);
  return hash as `sha256-${string}`;
}
