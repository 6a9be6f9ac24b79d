/** The answer to a request that is no POST, which is all that our functions take; null for a POST. */
export function refuseOtherMethods({ method }: Request): Response | null {
  if (method === 'POST') return null;
  return Response.json({ message: 'POST only' }, { status: 405, headers: { Allow: 'POST' } });
}

/**
 * The body as text; null when it is longer than it may be, whatever length was announced.
 * @param longest in bytes; no more than that is read.
 */
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
