/**
 * The index of the site, as Pagefind reads it in the browser. Pagefind treats a part of the index
 * that failed to load as empty; so before reporting that nothing was found, the index is read again.
 */
import { http } from '#lib/http.ts';

/** A page that was found. */
export interface Found {
  url: string;
  meta: { title?: string };
  filters: { kind?: string[] };
  /** HTML with the words of the query in `<mark>`. */
  excerpt: string;
  /** The sections of the page that have them, and the page itself. */
  sub_results: { title: string; url: string }[];
}

/** Pages with all words of a search, the best first. */
export interface Answer {
  results: { data: () => Promise<Found> }[];
  /** How many there are of each kind, including kinds that were not asked for. */
  counts: Record<string, number>;
}

/** The part of `/pagefind/pagefind.js` that is used here. */
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

/** Reads the name of the index that is served now; it changes with its content. */
async function readIndexName(): Promise<string> {
  const entry = await http<unknown>(`${FOLDER}pagefind-entry.json`, {
    cache: 'no-store',
    retry: 0,
  });
  // A server may answer every address with a page.
  if (typeof entry !== 'object' || entry === null || !('languages' in entry)) {
    throw new Error('There is no search index here.');
  }
  return JSON.stringify(entry.languages);
}

/** Opens the index of that name, unless it is open already. */
async function open(name: string): Promise<Instance> {
  if (opened?.name === name) return opened.instance;
  // A browser caches the failure to load a module: the next attempt has another address.
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
 * Finds the pages that have all words of the query.
 * @param kinds only these; all kinds when empty
 * @throws when the index cannot be read
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
