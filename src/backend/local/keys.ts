import { randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose';
import { DataFolderError, writeAtomically } from './postgres/data-folder.ts';

/** What identifies one data folder: made at its first start, kept for good, never in the repository. */
export interface Keys {
  /** Opaque key of every browser: `sb_publishable_…`, the role `anon`. */
  publishableKey: string;
  /** Opaque key of the backend's own functions: `sb_secret_…`, the role `service_role`. */
  secretKey: string;
  /** 256 random bits: signs storage links and is the pepper of emailed codes. */
  jwtSecret: string;
  /** Private ES256 key (with its `kid`) that signs access tokens. */
  signingKey: JWK & { kid: string };
}

const FILE = 'keys.json';

/**
 * Gives the keys of a data folder, making them at the first call. The file appears complete or not at
 * all.
 *
 * @param dataDir folder that is made when missing; the file in it is readable by its owner only.
 * @throws {DataFolderError} when the file exists but holds something else.
 */
export async function loadKeys(dataDir: string): Promise<Keys> {
  await mkdir(dataDir, { recursive: true });
  const path = join(dataDir, FILE);
  const existing = await readKeys(path);
  if (existing) return existing;

  const keys = await makeKeys();
  await writeAtomically(path, `${JSON.stringify(keys, null, 2)}\n`);
  return keys;
}

/** Makes a fresh set of keys without storing them (tests use this). */
export async function makeKeys(): Promise<Keys> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = await exportJWK(privateKey);
  return {
    publishableKey: `sb_publishable_${randomBytes(24).toString('base64url')}`,
    secretKey: `sb_secret_${randomBytes(32).toString('base64url')}`,
    jwtSecret: randomBytes(32).toString('base64url'),
    signingKey: { ...jwk, kid: await calculateJwkThumbprint(jwk), alg: 'ES256', use: 'sig' },
  };
}

async function readKeys(path: string): Promise<Keys | null> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  try {
    const keys = JSON.parse(text) as Keys;
    if (
      keys.publishableKey.startsWith('sb_publishable_') &&
      keys.secretKey.startsWith('sb_secret_') &&
      keys.jwtSecret.length >= 32 &&
      keys.signingKey.kid &&
      keys.signingKey.d
    ) {
      return keys;
    }
  } catch {
    // Told below: what stands in the file must not reach a log.
  }
  throw new DataFolderError(
    `${path} doesn't contain this site's keys. Put it back from a backup, or ` +
      'remove it: everyone then has to sign in again.',
  );
}
