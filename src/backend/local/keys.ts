import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import * as v from 'valibot';
import { DataFolderError, exists, readJson, writeAtomically } from './postgres/data-folder.ts';

/** The keys of a data folder: created at its first start, kept permanently, never in the repository. */
const keysSchema = v.object({
  /** Opaque key that every browser sends; its role is `anon`. */
  publishableKey: v.pipe(v.string(), v.startsWith('sb_publishable_')),
  /** Opaque key that the backend's own functions send; its role is `service_role`. */
  secretKey: v.pipe(v.string(), v.startsWith('sb_secret_')),
  /** 256 random bits that sign storage links and are the pepper for hashing emailed codes. */
  jwtSecret: v.pipe(v.string(), v.minLength(32)),
  /** Private ES256 key that signs access tokens. */
  signingKey: v.object({
    kty: v.string(),
    crv: v.string(),
    x: v.string(),
    y: v.string(),
    d: v.string(),
    kid: v.string(),
    alg: v.string(),
    use: v.string(),
  }),
});
export type Keys = v.InferOutput<typeof keysSchema>;

/**
 * Loads the keys of a data folder, creating them on the first call. Only the file's owner can read
 * it.
 * @throws {DataFolderError} when the file contains something else.
 */
export async function loadKeys(dataDir: string): Promise<Keys> {
  await mkdir(dataDir, { recursive: true });
  const path = join(dataDir, 'keys.json');
  if (!(await exists(path))) {
    await writeAtomically(path, `${JSON.stringify(await makeKeys(), null, 2)}\n`);
  }
  return readJson(path, keysSchema).catch((error) => {
    // The error contains the content of the file, which must not reach a log.
    throw v.isValiError(error)
      ? new DataFolderError(
          `${path} doesn't contain this site's keys. Put it back from a backup, or ` +
            'remove it: everyone then has to sign in again.',
        )
      : error;
  });
}

/** Creates a new set of keys without storing them (tests use this). */
export async function makeKeys(): Promise<Keys> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = await exportJWK(privateKey);
  return v.parse(keysSchema, {
    publishableKey: `sb_publishable_${randomBytes(24).toString('base64url')}`,
    secretKey: `sb_secret_${randomBytes(32).toString('base64url')}`,
    jwtSecret: randomBytes(32).toString('base64url'),
    signingKey: { ...jwk, kid: await calculateJwkThumbprint(jwk), alg: 'ES256', use: 'sig' },
  });
}
