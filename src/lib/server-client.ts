/** The client with which the server reads and writes data for one request. */
import { FunctionsClient } from '@supabase/functions-js';
import { PostgrestClient } from '@supabase/postgrest-js';
import { StorageClient } from '@supabase/storage-js';
import type { ServerConfig } from './app-config.ts';
import type { Database } from './database.types.ts';
import { type Fetch, patientFetch } from './http.ts';
import type { Db } from './supabase.ts';

/** We respond to a page request within 10 seconds, even if the backend doesn't. */
const SERVER_TIMEOUT_MS = 9_000;

interface ServerClientOptions {
  apikey: string;
  /** The person's access token; null for a visitor. */
  bearer: string | null;
  fetch: Fetch;
}

/**
 * The parts of supabase-js that a request to the server uses. `createClient` would make all of them
 * for each request, including one for Realtime, which V8 keeps, with everything that the request
 * holds, until it has searched all of its memory.
 */
class ServerClient extends PostgrestClient<Database> {
  readonly #url: string;
  readonly #options: ServerClientOptions;

  constructor(url: string, options: ServerClientOptions) {
    const { apikey, bearer, fetch } = options;
    super(`${url}/rest/v1`, {
      headers: { apikey, Authorization: `Bearer ${bearer ?? apikey}` },
      fetch,
      // Otherwise a failed GET would be sent three times for each of our own three attempts.
      retry: false,
    });
    this.#url = url;
    this.#options = options;
  }

  get storage(): StorageClient {
    const { apikey, bearer, fetch } = this.#options;
    const headers = { apikey, Authorization: `Bearer ${bearer ?? apikey}` };
    return new StorageClient(`${this.#url}/storage/v1`, headers, fetch);
  }

  get functions(): FunctionsClient {
    const { apikey, bearer, fetch } = this.#options;
    // Functions refuse a publishable key as a token; an older key is one.
    const token = bearer ?? (apikey.startsWith('sb_') ? null : apikey);
    const headers = { apikey, ...(token && { Authorization: `Bearer ${token}` }) };
    return new FunctionsClient(`${this.#url}/functions/v1`, { headers, customFetch: fetch });
  }
}

/**
 * The client for one request to the server, acting as the person whose access token it gets, or as
 * a visitor. It neither stores nor renews a session: `session.ts` has already done that.
 * @param deadline aborts all its calls, so that the server can respond in time
 */
export function serverClient(
  config: ServerConfig,
  accessToken: string | null,
  deadline: AbortSignal,
): Db {
  return new ServerClient(config.supabaseUrl, {
    apikey: config.publishableKey,
    bearer: accessToken,
    fetch: patientFetch({ signal: deadline, fetch: config.fetch }),
  });
}

/**
 * The time that a request which just arrived has for database calls, by default enough for a whole
 * page: `signal` aborts when it's used up. Call `end` when the request is done, or its data stays in
 * memory until then.
 */
export function serverDeadline(ms = SERVER_TIMEOUT_MS): { signal: AbortSignal; end: () => void } {
  const controller = new AbortController();
  const abort = () => controller.abort(new DOMException('The page took too long', 'TimeoutError'));
  const timer = setTimeout(abort, ms);
  return { signal: controller.signal, end: () => clearTimeout(timer) };
}
