// `npm start`: the built site, the pages rendered on demand, and the embedded backend.
import { pathToFileURL } from 'node:url';
import { projectRoot } from '#backend/local/project-root.ts';
import { ensureBuild } from './build.ts';
import { log, type Pages, serve } from './serve.ts';

// When the pages import React, this decides which build of it they load.
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
