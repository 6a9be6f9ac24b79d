import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';

const DIRECTIVE = fileURLToPath(new URL('../lib/browser/client-rest.ts', import.meta.url));

/** Adds the directive `client:rest`, for islands that hydrate last. */
export function clientRest(): AstroIntegration {
  return {
    name: 'client-rest',
    hooks: {
      'astro:config:setup': ({ addClientDirective }) =>
        addClientDirective({ name: 'rest', entrypoint: DIRECTIVE }),
    },
  };
}
