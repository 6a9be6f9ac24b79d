/**
 * Publishes the build id in `<meta name="build">`, `/builds/latest.json` (the build being served)
 * and `/builds/meta/<id>.json`. An open page compares the first two (stores/build.ts).
 */
import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';
import { routes } from '#lib/routing/routes.ts';

/** The module that pages import the id from; src/env.d.ts declares it. */
const MODULE = 'virtual:build';

/** The guard of each path. `[id]` matches any UUID, `[slug]` any slug. */
type Rules = Record<string, { appMiddleware: Record<string, boolean> }>;

/** The contents of `/builds/latest.json`. */
export interface LatestBuild {
  id: string;
  /** Milliseconds since 1970. */
  timestamp: number;
}

/** The contents of `/builds/meta/<id>.json`. */
export interface BuildMeta extends LatestBuild {
  matcher: { static: Rules; wildcard: Rules; dynamic: Rules };
  /** Paths of the prerendered pages. */
  prerendered: string[];
}

function matcher(): BuildMeta['matcher'] {
  const rules = (dynamic: boolean): Rules =>
    Object.fromEntries(
      routes
        .filter(({ path, guard }) => guard !== 'none' && path.includes('[') === dynamic)
        .map(({ path, guard }) => [path, { appMiddleware: { [guard]: true } }]),
    );
  return { static: rules(false), wildcard: {}, dynamic: rules(true) };
}

/**
 * The Astro integration.
 * @param id the build id, a fingerprint of the sources; random by default
 */
export function buildIdentity(id: string = randomUUID()): AstroIntegration {
  let written = 'dev';
  return {
    name: 'build-identity',
    hooks: {
      'astro:config:setup': ({ command, updateConfig }) => {
        if (command === 'build') written = id;
        const resolved = `\0${MODULE}`;
        updateConfig({
          vite: {
            plugins: [
              {
                name: MODULE,
                resolveId: (source: string) => (source === MODULE ? resolved : undefined),
                load: (source: string) =>
                  source === resolved
                    ? `export const buildId = ${JSON.stringify(written)}`
                    : undefined,
              },
            ],
          },
        });
      },
      'astro:build:done': async ({ dir, pages }) => {
        const latest: LatestBuild = { id, timestamp: Date.now() };
        const prerendered = pages.map(({ pathname }) => `/${pathname.replace(/\/$/, '')}`).sort();
        const meta: BuildMeta = { ...latest, matcher: matcher(), prerendered };
        await mkdir(new URL('builds/meta/', dir), { recursive: true });
        await writeFile(fileURLToPath(new URL('builds/latest.json', dir)), JSON.stringify(latest));
        await writeFile(
          fileURLToPath(new URL(`builds/meta/${id}.json`, dir)),
          JSON.stringify(meta),
        );
      },
    },
  };
}
