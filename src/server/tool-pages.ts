import { isToolAsBuilt } from '#data/toolbox.ts';
import type { ServerConfig } from '#lib/app-config.ts';
import { serverClient, serverDeadline } from '#lib/server-client.ts';

/** The page of all tools, or of one; what programs read of it; and the files to download. */
const TOOL_PAGE =
  /^\/toolbox(?:\/(?!current\/?$)([a-z0-9]+(?:-[a-z0-9]+)*))?(\/index\.html|\/_payload\.json|\.xlsx|\.docx)?$/;

/** Whether a path is one that tools are read at, and may answer something other than its file. */
export const isToolPage = (pathname: string): boolean => TOOL_PAGE.test(pathname);

/**
 * The path of the page that's rendered on demand instead; null for the data and the files of a built
 * page, which say what it says.
 */
export function currentToolPage(pathname: string): string | null {
  const [, slug, file] = TOOL_PAGE.exec(pathname) ?? [];
  if (file && file !== '/index.html') return null;
  return `/toolbox/current${slug ? `/${slug}` : ''}`;
}

/** The address that people know a page rendered on demand by; null if this isn't one. */
export function knownToolPage(pathname: string): string | null {
  const [, slug] = /^\/toolbox\/current(?=\/|$)(.*)$/.exec(pathname) ?? [];
  return slug === undefined ? null : `/toolbox${slug}`;
}

/**
 * Tells whether the built page at a path still says what's published. It's asked for each request, so
 * that nothing stale is served after an admin publishes. While the database doesn't answer, what it
 * said last counts, or else the built page.
 * @param ask whether the page of the tool with this slug, or of all tools, is as built
 */
export function createToolPages(
  ask: (slug: string | undefined) => Promise<boolean>,
): (pathname: string) => Promise<boolean> {
  /** The pages that weren't as built when we last knew. */
  const changed = new Set<string | undefined>();
  return async (pathname) => {
    const slug = TOOL_PAGE.exec(pathname)?.[1];
    try {
      const isBuilt = await ask(slug);
      if (isBuilt) changed.delete(slug);
      else changed.add(slug);
      return isBuilt;
    } catch {
      return !changed.has(slug);
    }
  };
}

/** A reader of a built page doesn't wait longer than this for a database that hangs. */
const PATIENCE_MS = 1_000;

/** Asks the database as a visitor. Throws an AppError. */
export async function askIsToolAsBuilt(
  config: ServerConfig,
  slug: string | undefined,
): Promise<boolean> {
  const { signal, end } = serverDeadline(PATIENCE_MS);
  try {
    return await isToolAsBuilt(serverClient(config, null, signal), slug);
  } finally {
    end();
  }
}
