// `npm run build`: makes the built site ahead of the first start, as an image does.
import { ensureBuild } from './build.ts';
import { log } from './serve.ts';
import { loadEnvFile, projectRoot, readSettings } from './settings.ts';

loadEnvFile();
const { dataDir } = readSettings(process.env);
const build = await ensureBuild({ projectRoot, dataDir, log });
log(`Built: ${build.client}`);
