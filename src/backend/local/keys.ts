import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose';
import { DataFolderError } from './postgres/data-folder.ts';

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
 * Gives the keys of a data folder, making them at the first call.
 *
 * Two processes that start at once end with the same keys: the file appears complete or not at all.
 * @param dataDir folder that is made when missing; the file in it is readable by its owner only.
 * @throws {DataFolderError} when the file exists but holds something else.
 */
export async function loadKeys(dataDir: string): Promise<Keys> {
  await mkdir(dataDir, { recursive: true });
  const path = join(dataDir, FILE);
  const existing = await readKeys(path);
  if (existing) return existing;

  const draft = join(dataDir, `.${FILE}.${randomUUID()}`);
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(`${JSON.stringify(await makeKeys(), null, 2)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    // Unlike a rename, a hard link never replaces what another process has just made.
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }

  const made = await readKeys(path);
  if (!made) throw new Error(`The keys could not be written to ${path}.`);
  return made;
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
