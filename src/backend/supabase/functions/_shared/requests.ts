import { timingSafeEqual } from 'node:crypto';

export function answer(status: number, message: string, headers?: HeadersInit): Response {
  return Response.json({ message }, headers ? { status, headers } : { status });
}

/** A 405 for a request that isn't a POST, the only method our functions accept; else null. */
export function refuseOtherMethods({ method }: Request): Response | null {
  return method === 'POST' ? null : answer(405, 'POST only', { Allow: 'POST' });
}

/** The body as text; null if it's longer than `longest` bytes, whatever its content-length says. */
export async function textOf(request: Request, longest: number): Promise<string | null> {
  if (Number(request.headers.get('content-length') ?? 0) > longest) return null;
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > longest) return null;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** The object in a JSON body; null for anything else. */
export function objectOf(text: string): Record<string, unknown> | null {
  try {
    const given: unknown = JSON.parse(text);
    return typeof given === 'object' && given !== null && !Array.isArray(given)
      ? { ...given }
      : null;
  } catch {
    return null;
  }
}

/** Compares two keys in constant time. */
export function isSameKey(a: string, b: string): boolean {
  // Keys are ASCII, and their length is no secret.
  if (a.length !== b.length) return false;
  const [left, right] = [new TextEncoder().encode(a), new TextEncoder().encode(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

export function groupsOf(address: string): string[] {
  const [head = '', tail = ''] = address.toLowerCase().split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === '' ? [] : tail.split(':');
  const zeros = Array(Math.max(0, 8 - left.length - right.length)).fill('0');
  return [...left, ...zeros, ...right];
}

/**
 * Where a request comes from, for rate limits: the last address in `x-forwarded-for`, or null if
 * there is none.
 * @returns `sender`, an IPv4 address or the first 64 bits of an IPv6 one (what one client has), and
 * `network`, the first 24 or 48 bits (what one organization usually has).
 */
export function callerOf(request: Request): { sender: string; network: string } | null {
  const named = request.headers.get('x-forwarded-for')?.split(',').at(-1)?.trim() ?? '';
  if (named === '') return null;
  const address = named.replace(/^::ffff:(?=\d+\.)/i, '');
  const groups = address.includes(':') ? groupsOf(address) : address.split('.');
  const separator = address.includes(':') ? ':' : '.';
  return {
    sender: groups.slice(0, 4).join(separator),
    network: groups.slice(0, 3).join(separator),
  };
}
