/** Where a request comes from, for limits only. */
export interface Caller {
  /** An IPv4 address, or the first 64 bits of an IPv6 one, which is what one client has. */
  sender: string;
  /** The first 24 bits of IPv4 or 48 bits of IPv6: what one organization mostly has. */
  network: string;
}

/**
 * @returns the caller by the address that the proxy in front of us wrote, which is the last one named;
 * null behind a proxy that names nobody
 */
export function callerOf(request: Request): Caller | null {
  const named = request.headers.get('x-forwarded-for')?.split(',').at(-1)?.trim() ?? '';
  if (named === '') return null;
  const address = named.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '');
  if (!address.includes(':')) {
    return { sender: address, network: address.split('.').slice(0, 3).join('.') };
  }
  const [head = '', tail] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail ? tail.split(':') : [];
  const zeros = Array(Math.max(0, 8 - left.length - right.length)).fill('0');
  const groups = [...left, ...zeros, ...right];
  return { sender: groups.slice(0, 4).join(':'), network: groups.slice(0, 3).join(':') };
}
