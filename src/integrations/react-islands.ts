/**
 * @astrojs/react with another way to render islands on the server. On its own it renders the start of
 * each island an additional time, to find out whether it's React's, and then streams it, which takes
 * as long again as rendering it; Astro waits for the end of the stream anyway (decision 125).
 */
import { fileURLToPath } from 'node:url';
import react from '@astrojs/react';
import type { AstroIntegration } from 'astro';

const SERVER = fileURLToPath(new URL('./react-server.ts', import.meta.url));

/** The integration, for astro.config.mjs. */
export function reactIslands(): AstroIntegration {
  const { hooks, ...integration } = react();
  const setup = hooks['astro:config:setup'];
  return {
    ...integration,
    hooks: {
      ...hooks,
      'astro:config:setup': (options) =>
        setup?.({
          ...options,
          addRenderer: (renderer) => options.addRenderer({ ...renderer, serverEntrypoint: SERVER }),
        }),
    },
  };
}
