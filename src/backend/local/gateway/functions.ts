import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDatabaseAway, isOutOfSpace } from '#backend/supabase/functions/_shared/connection.ts';
import { withSettings } from '#backend/supabase/functions/_shared/settings.ts';
import { outOfSpaceResponse } from '../postgres/disk-space.ts';
import { inProject } from '../project-root.ts';
import { withTimeout } from './timeout.ts';

/** Timeout of a function, in ms; the gateway's own is a little longer. */
const TIME_LIMIT = 8_000;

type FunctionModule = { default?: { fetch?: (request: Request) => Response | Promise<Response> } };

const projectFolder = inProject('src/backend/supabase');

/** Imports a function of the project's. The path is relative, for Vite to find and bundle them all. */
const importFunction = (name: string) => import(`../../supabase/functions/${name}/index.ts`);

export type Functions = ReturnType<typeof createFunctions>;

/**
 * Runs `supabase/functions/<name>/index.ts` in this process, as Supabase does in Deno.
 * @param options.folder the `supabase` folder; defaults to the project's own.
 * @param options.settings what functions read with `setting(name)`; on Supabase, the environment.
 */
export function createFunctions(options: {
  folder?: string | undefined;
  settings: Record<string, string | undefined>;
  log: (line: string) => void;
}) {
  const { folder = projectFolder } = options;
  const open = openFunctions(join(folder, 'config.toml'));

  async function load(name: string): Promise<FunctionModule | null> {
    const path = join(folder, 'functions', name, 'index.ts');
    if (!existsSync(path)) return null;
    const file = pathToFileURL(path).href;
    return (await (folder === projectFolder
      ? importFunction(name)
      : import(file))) as FunctionModule;
  }

  return {
    /** Whether a caller needs a key: `verify_jwt` in config.toml, which is true by default. */
    needsKey: (name: string) => !open.has(name),

    /**
     * Runs a function; the response is a 404 if there's no such function. With `isFull`, its access
     * to the database fails with the error for a full disk.
     * @throws the driver's error when the database is unreachable.
     */
    async run(name: string, request: Request, isFull = false): Promise<Response> {
      if (!/^[a-z][a-z0-9-]{0,60}$/.test(name)) return notFound();
      const started = performance.now();
      try {
        const module = await load(name);
        const answer = module?.default?.fetch;
        if (!answer) return notFound();
        const settings = { ...options.settings, ...(isFull && { OUT_OF_SPACE: '1' }) };
        return await withTimeout(
          withSettings(settings, async () => answer(request)),
          { ms: TIME_LIMIT, error: () => new LateError('Time limit') },
        );
      } catch (error) {
        if (isOutOfSpace(error)) return outOfSpaceResponse();
        if (isDatabaseAway(error)) throw error;
        const took = Math.round(performance.now() - started);
        options.log(`Function ${name} failed after ${took} ms: ${(error as Error).stack ?? error}`);
        const late = error instanceof LateError;
        const [status, code, message] = late
          ? [546, 'WORKER_LIMIT', 'The function took too long.']
          : [500, 'WORKER_ERROR', 'The function failed.'];
        const headers = { 'x-relay-error': 'true' };
        return Response.json({ code, message }, { status, headers });
      }
    },
  };
}

class LateError extends Error {}

/** Names of the functions whose section says `verify_jwt = false`. */
function openFunctions(path: string): Set<string> {
  if (!existsSync(path)) return new Set();
  const sections = readFileSync(path, 'utf8').matchAll(
    /^\[functions\.([a-z0-9-]+)\]([^[]*?)^\s*verify_jwt\s*=\s*false\b/gm,
  );
  return new Set([...sections].map(([, name]) => name as string));
}

function notFound(): Response {
  const body = { code: 'NOT_FOUND', message: 'Requested function was not found' };
  return Response.json(body, { status: 404 });
}
