// `npm run build`: builds the site before the first start (in a Docker image, for example) or for a
// plain web server. The latter also needs to know which Supabase the environment names.
import { projectRoot } from '#backend/local/project-root.ts';
import { ensureBuild, writeAppConfig } from './build.ts';
import { ensureBundle } from './bundle.ts';
import { log } from './serve.ts';
import { loadEnvFile, readSettings } from './settings.ts';

loadEnvFile();
const { dataDir, backend } = readSettings(process.env);
const build = await ensureBuild({ projectRoot, dataDir, log });
await ensureBundle();
await writeAppConfig(build.client, backend);
log(`Built: ${build.client}`);
