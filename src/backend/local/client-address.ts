import { BlockList, isIP } from 'node:net';
import { isLoopbackAddress } from './loopback.ts';

/** Whether somebody at an address speaks for others, and is believed. */
export type IsProxy = (address: string) => boolean;

/**
 * This machine, and the proxies of the setting TRUSTED_PROXIES.
 * @param others addresses, `10.0.0.5`, and networks, `10.1.0.0/16`
 */
export function proxies(others: readonly string[] = []): IsProxy {
  const list = new BlockList();
  for (const each of others) {
    const [address = '', bits] = each.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (address) =>
    isLoopbackAddress(address) || list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

/**
 * Who is asking, for limits: the socket's other end. Where that is a proxy, it names its client last in
 * `x-forwarded-for`, who may be the next proxy; nobody else is believed.
 * @returns an IPv4 address, or the 64-bit network of an IPv6 one, which is what one client has.
 */
export function clientAddress(
  request: Request,
  remoteAddress: string,
  isProxy: IsProxy = isLoopbackAddress,
): string {
  const named = request.headers.get('x-forwarded-for')?.split(',') ?? [];
  let address = remoteAddress;
  while (isProxy(address)) {
    const before = named.pop()?.trim() ?? '';
    if (!isIP(before)) break;
    address = before;
  }
  return network(address);
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
