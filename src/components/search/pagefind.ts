/**
 * Searches the site's index with Pagefind in the browser. Pagefind treats a part of the index that
 * failed to load as empty, so before reporting no results, `find` checks whether the index is
 * reachable and current.
 */
import { http } from '#lib/http.ts';

/** A page in the results. */
export interface Found {
  url: string;
  meta: { title?: string };
  filters: { kind?: string[] };
  /** HTML with the query's words in `<mark>`. */
  excerpt: string;
  /** The page's sections with those words, and the page itself. */
  sub_results: { title: string; url: string }[];
}

/** The pages with all words of a query, best match first. */
export interface Answer {
  results: { data: () => Promise<Found> }[];
  /** The number of results of each kind, including kinds that the filter excludes. */
  counts: Record<string, number>;
}

/** The part of `/pagefind/pagefind.js` that we use. */
interface Instance {
  init: () => Promise<void>;
  filters: () => Promise<unknown>;
  search: (
    term: string,
    options: { filters: { kind?: { any: string[] } } },
  ) => Promise<{
    results: Answer['results'];
    totalFilters: { kind?: Record<string, number> };
  }>;
}
interface Module {
  createInstance: (options: {
    noWorker: boolean;
    excerptLength: number;
    excerptEllipsis: string;
  }) => Instance;
}

const FOLDER = '/pagefind/';
let opened: { name: string; instance: Instance } | undefined;
let attempt = 0;

/** Fetches the name of the current index; it changes with the content. */
async function readIndexName(): Promise<string> {
  const entry = await http(`${FOLDER}pagefind-entry.json`, { cache: 'no-store' });
  // Some servers respond to every URL with an HTML page.
  if (typeof entry !== 'object' || entry === null || !('languages' in entry)) {
    throw new Error('There is no search index here.');
  }
  return JSON.stringify(entry.languages);
}

/** Opens the index with that name, unless it's already open. */
async function open(name: string): Promise<Instance> {
  if (opened?.name === name) return opened.instance;
  // Browsers cache a failed module load, so the next attempt uses another URL.
  const again = attempt++ === 0 ? '' : `?${attempt}`;
  const address = `${FOLDER}pagefind.js${again}`;
  const { createInstance } = (await import(/* @vite-ignore */ address)) as Module;
  const instance = createInstance({ noWorker: true, excerptLength: 32, excerptEllipsis: ' … ' });
  await instance.init();
  await instance.filters();
  opened = { name, instance };
  return instance;
}

/**
 * Finds the pages with all words of the query.
 * @param kinds limits results to these kinds; all kinds if empty
 * @throws if the index can't be read
 */
export async function find(q: string, kinds: readonly string[]): Promise<Answer> {
  const filters = kinds.length ? { kind: { any: [...kinds] } } : {};
  const ask = async (instance: Instance): Promise<Answer> => {
    const { results, totalFilters } = await instance.search(q, { filters });
    return { results, counts: totalFilters.kind ?? {} };
  };
  try {
    const before = opened ?? { name: await readIndexName() };
    const answer = await ask(await open(before.name));
    if (answer.results.length > 0) return answer;
    const now = await readIndexName();
    return now === before.name ? answer : await ask(await open(now));
  } catch (thrown) {
    opened = undefined;
    throw thrown;
  }
}
