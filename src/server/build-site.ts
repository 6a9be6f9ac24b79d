// `npm run build`: makes the built site ahead of the first start, as an image does, or for a plain
// web server, which then also has to say where the Supabase of the environment is.
import { ensureBuild, writeAppConfig } from './build.ts';
import { log } from './serve.ts';
import { loadEnvFile, projectRoot, readSettings } from './settings.ts';

loadEnvFile();
const { dataDir, backend } = readSettings(process.env);
const build = await ensureBuild({ projectRoot, dataDir, log });
await writeAppConfig(build.client, backend);
log(`Built: ${build.client}`);
