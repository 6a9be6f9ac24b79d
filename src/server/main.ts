// `npm start`: the built site, its pages that are asked for, and the embedded backend.
import { pathToFileURL } from 'node:url';
import { ensureBuild } from './build.ts';
import { log, type Pages, serve } from './serve.ts';
import { projectRoot } from './settings.ts';

// Which React the pages load is decided by this when they're first imported.
process.env.NODE_ENV = 'production';

serve(async ({ dataDir }) => {
  const build = await ensureBuild({ projectRoot, dataDir, log });
  return {
    async open() {
      const entry = (await import(pathToFileURL(build.handler).href)) as {
        handler: Pages['pages'];
      };
      return { files: build.client, pages: entry.handler };
    },
  };
});
