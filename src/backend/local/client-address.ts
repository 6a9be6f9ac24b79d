import { isIP } from 'node:net';
import { isLoopbackAddress } from './loopback.ts';

/**
 * Who is asking, for limits: the socket's other end. Behind a proxy on this machine that is the
 * proxy, which names its client last in `x-forwarded-for`; nobody else is believed.
 * @returns an IPv4 address, or the 64-bit network of an IPv6 one, which is what one client has.
 */
export function clientAddress(request: Request, remoteAddress: string): string {
  if (!isLoopbackAddress(remoteAddress)) return network(remoteAddress);
  const forwarded = request.headers.get('x-forwarded-for')?.split(',').at(-1)?.trim();
  return network(forwarded && isIP(forwarded) ? forwarded : remoteAddress);
}

function network(address: string): string {
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? [];
  if (mapped) return mapped;
  if (isIP(address) !== 6) return address;
  const [head = '', tail = ''] = (address.split('%')[0] ?? '').toLowerCase().split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === '' ? [] : tail.split(':');
  const zeros = Array(Math.max(0, 8 - left.length - right.length)).fill('0');
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::`;
}
