import { promises as fs } from 'node:fs';
import path from 'node:path';
import type { AppConfig } from '#lib/app-config.ts';
import type { Settings } from './settings.ts';

/**
 * Writes `app-config.json` among the built files, for plain web servers: with a Supabase elsewhere
 * where it is, else `null`, which says that there is no backend. The server answers this address
 * itself and never sends the file.
 */
export async function writeAppConfig(client: string, backend?: Settings['backend']): Promise<void> {
  const config: AppConfig | null =
    backend?.kind === 'supabase'
      ? { supabaseUrl: backend.url, publishableKey: backend.publishableKey }
      : null;
  await fs.writeFile(path.join(client, 'app-config.json'), JSON.stringify(config));
}
