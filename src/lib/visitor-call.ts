import { browserConfig } from './app-config.ts';
import type { Database } from './database.types.ts';
import { http } from './http.ts';

type Procedures = Database['public']['Functions'];

/**
 * Calls a procedure as a visitor and returns what it answers, unchecked. Without a client:
 * supabase-js would be larger than the rest of a visitor's page.
 * https://docs.postgrest.org/en/v13/references/api/functions.html
 * @throws AppError if the backend can't be found, or what `http` throws
 */
export async function callAsVisitor<Name extends keyof Procedures>(
  name: Name,
  args?: Procedures[Name]['Args'],
): Promise<unknown> {
  const { supabaseUrl, publishableKey } = await browserConfig();
  return http(`${supabaseUrl}/rest/v1/rpc/${name}`, {
    // A procedure without arguments only reads, so GET works.
    ...(args && { method: 'POST', body: args }),
    headers: { apikey: publishableKey },
  });
}
