import { objectOf } from '#backend/supabase/functions/_shared/requests.ts';

/** Passes a request to lite on behalf of its verified caller. */
export type ToLite = (request: Request) => Promise<Response>;

/** An error response like Storage's: HTTP status 400 in most cases, the real one in the body. */
export function refusal(
  statusCode: string,
  error: string,
  message: string,
  status = 400,
): Response {
  return Response.json({ statusCode, error, message }, { status });
}

interface Entry {
  name: string;
  id: string | null;
  created_at: string | null;
  updated_at: string | null;
  last_accessed_at: string | null;
  metadata: Record<string, unknown> | null;
}

const FOLDER = {
  id: null,
  created_at: null,
  updated_at: null,
  last_accessed_at: null,
  metadata: null,
};

interface Wish {
  prefix?: string;
  limit?: number;
  offset?: number;
  search?: string;
  sortBy?: { column?: string; order?: string };
}

/** The most files below a folder that a listing reads. */
const MOST = 10_000;

/** Lists one folder as Supabase does; lite 0.10.0 returns the full path of everything below. */
export async function listFolder(request: Request, toLite: ToLite): Promise<Response> {
  const wish = (await readJson(request)) as Wish;
  const folder = (wish.prefix ?? '').replace(/^\/+|\/+$/g, '');
  const prefix = folder === '' ? '' : `${folder}/`;
  const answer = await toLite(post(request, request.url, { prefix, limit: MOST, offset: 0 }));
  if (!answer.ok) return answer;

  const files = ((await answer.json()) as Entry[]).filter((file) => file.name.startsWith(prefix));
  const entries = new Map<string, Entry>();
  for (const file of files) {
    const [name = '', ...below] = file.name.slice(prefix.length).split('/');
    if (name === '' || !name.toLowerCase().startsWith((wish.search ?? '').toLowerCase())) continue;
    if (below.length === 0) entries.set(name, { ...file, name });
    else if (!entries.has(name)) entries.set(name, { ...FOLDER, name });
  }
  const { offset = 0, limit = 100 } = wish;
  const sorted = [...entries.values()].sort(inOrder(wish.sortBy));
  return Response.json(sorted.slice(offset, offset + Math.min(limit, 1000)));
}

/** Signs several links in one request, which lite 0.10.0 takes for signing a file with no name. */
export async function signMany(request: Request, toLite: ToLite): Promise<Response> {
  const { paths, expiresIn } = await readJson(request);
  if (!Array.isArray(paths) || paths.length > 500) {
    return refusal('400', 'InvalidRequest', 'paths must be a list of at most 500');
  }
  const signed = [];
  for (const path of paths.map(String)) {
    const encoded = path.split('/').map(encodeURIComponent).join('/');
    const answer = await toLite(post(request, `${request.url}/${encoded}`, { expiresIn }));
    const body = (await answer.json()) as { signedUrl?: string; message?: string };
    const signedURL = body.signedUrl?.replace(/^\/storage\/v1/, '') ?? null;
    signed.push({ path, signedURL, error: signedURL ? null : (body.message ?? 'Not found') });
  }
  return Response.json(signed);
}

function post(request: Request, url: string, body: unknown): Request {
  return new Request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: request.signal,
  });
}

async function readJson(request: Request): Promise<Record<string, unknown>> {
  return objectOf(await request.text()) ?? {};
}

const COLUMNS = ['name', 'created_at', 'updated_at', 'last_accessed_at'] as const;

function inOrder(sortBy: Wish['sortBy']): (a: Entry, b: Entry) => number {
  const column = COLUMNS.find((each) => each === sortBy?.column) ?? 'name';
  const sign = sortBy?.order === 'desc' ? -1 : 1;
  return (a, b) => {
    const [left, right] = [a[column] ?? '', b[column] ?? ''];
    return left === right ? 0 : left < right ? -sign : sign;
  };
}
